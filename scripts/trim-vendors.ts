import type { Plugin } from "vite";

/** A part of a package that no page uses, but that a bundler cannot see to be unused. */
interface Cut {
  /** Which of the package's modules. */
  file: RegExp;
  /** What of it goes. */
  finds: readonly RegExp[];
}

const cuts: readonly Cut[] = [
  {
    // Every zod type carries the code that tells its JSON Schema. `z.toJSONSchema(type)` does without it.
    file: /\/zod\/v4\/classic\/schemas\.js$/,
    finds: [
      /^ *inst\._zod\.processJSONSchema = .*;\n/gm,
      /^ *jsonSchema: \{\n.*createStandardJSONSchemaMethod.*\n.*\n *\},\n/m,
      /^ *toJSONSchema\(params\) \{\n.*\n *\},\n/m,
    ],
  },
  {
    // Wires and cards that React Flow brings along; the canvas draws its own. A name set on a component keeps it.
    file: /\/@xyflow\/react\/dist\/esm\/index\.js$/,
    finds: [
      /^ {4}(straight|step|smoothstep|simplebezier): \w+EdgeInternal,\n/gm,
      /^ {4}(input|output|group): \w+Node,\n/gm,
      /^ {8}case ConnectionLineType\.(SimpleBezier|Step|SmoothStep):\n[\s\S]*?break;\n/gm,
      /^\w+\.displayName = '\w+';\n/gm,
    ],
  },
  {
    // Keys by which React would tell the lines of an icon apart; they never change their order.
    file: /\/lucide-react\/dist\/esm\/icons\/[a-z0-9-]+\.mjs$/,
    finds: [/,\s+key: "[a-z0-9]+"/g],
  },
];

/** The module without what is cut from it, or null where nothing is. */
export function trimVendor(file: string, code: string): string | null {
  const cut = cuts.find((one) => one.file.test(file));
  return cut === undefined ? null : cut.finds.reduce((text, find) => text.replace(find, ""), code);
}

/** Leaves out of the build what no page uses of its packages. */
export function trimVendors(): Plugin {
  return {
    name: "trim-vendors",
    apply: "build",
    transform: {
      filter: { id: cuts.map(({ file }) => file) },
      handler(code, id) {
        const trimmed = trimVendor(id, code);
        return trimmed === null ? null : { code: trimmed, map: null };
      },
    },
  };
}
