import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { trimVendor } from "./trim-vendors.ts";

function trimmed(module: string): string {
  const file = fileURLToPath(new URL(`../node_modules/${module}`, import.meta.url));
  return trimVendor(file, readFileSync(file, "utf8")) ?? "";
}

describe("what the build leaves out of packages", () => {
  it("is zod's way to JSON Schema, but not what tells the bounds of a number", () => {
    const code = trimmed("zod/v4/classic/schemas.js");
    expect(code).toContain("export const ZodType");
    expect([...new Set(code.match(/processors\.(?!js)\w+/g))]).toEqual(["processors.aggregateChecks"]);
    expect(code.match(/create\w*JSONSchemaMethod\w*\(/g)).toBeNull();
  });

  it("is each wire and card of React Flow but the plain ones", () => {
    const code = trimmed("@xyflow/react/dist/esm/index.js");
    expect(code).toContain("const builtinEdgeTypes = {\n    default: BezierEdgeInternal,\n};");
    expect(code).toContain("const builtinNodeTypes = {\n    default: DefaultNode,\n};");
    expect(code.match(/case ConnectionLineType\.\w+/g)).toEqual(["case ConnectionLineType.Bezier"]);
    expect(code).not.toContain("displayName");
  });

  it("is the key of each line of an icon, not the line", () => {
    const code = trimmed("lucide-react/dist/esm/icons/bot.mjs");
    expect(code).toContain('d: "M12 8V4H8"');
    expect(code).not.toContain("key:");
  });

  it("is nothing of other modules", () => {
    expect(trimVendor("/node_modules/zod/v4/core/schemas.js", "const a = 1;")).toBeNull();
  });
});
