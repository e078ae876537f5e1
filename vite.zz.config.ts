import base from "./vite.config.ts";
import { writeFileSync } from "node:fs";
export default {
  ...base,
  plugins: [
    ...(base.plugins ?? []),
    {
      name: "zz",
      generateBundle(_o: unknown, bundle: Record<string, any>) {
        const out: Record<string, any> = {};
        for (const [f, c] of Object.entries(bundle))
          if (c.type === "chunk")
            out[f] = {
              entry: c.isEntry,
              facade: c.facadeModuleId,
              imports: c.imports,
              dyn: c.dynamicImports,
              modules: Object.fromEntries(
                Object.entries(c.modules).map(([id, m]: [string, any]) => [id, m.renderedLength]),
              ),
            };
        writeFileSync("/tmp/front-modules.json", JSON.stringify(out));
      },
    },
  ],
  build: { ...base.build, outDir: "/tmp/front-dist", emptyOutDir: true },
};
