/**
 * All tests of the engine and the nodes as one module: `deno test` loads the code that they share anew for each module that
 * it is given, which takes longer than the tests.
 */
import { readdirSync } from "node:fs";
import { inSuite } from "./vitest.ts";

const root = new URL("../../", import.meta.url);

for (const folder of ["src/engine", "src/doors", "src/import", "src/export", "src/evaluation", "src/nodes"]) {
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".test.ts")).toSorted()) {
    const path = `${folder}/${file.replaceAll("\\", "/")}`;
    await inSuite(path, () => import(new URL(path, root).href));
  }
}
