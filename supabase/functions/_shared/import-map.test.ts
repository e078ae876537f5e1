import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { z } from "zod/mini";

const readJson = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));
const { imports } = z.object({ imports: z.record(z.string(), z.string()) }).parse(await readJson("../deno.json"));

test("functions deploy with the versions that they were tested with", async () => {
  const project = z.object({ dependencies: z.record(z.string(), z.string()) });
  const { dependencies } = project.parse(await readJson("../../../package.json"));
  expect(Object.keys(imports).length).toBeGreaterThan(0);
  for (const [name, pinned] of Object.entries(imports)) expect(pinned).toBe(`npm:${name}@${dependencies[name]}`);
});

test("each package that a function imports, whichever sources it shares, stands in the import map", async () => {
  const functions = fileURLToPath(new URL("..", import.meta.url));
  const names = readdirSync(functions, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name);
  const { metafile } = await build({
    entryPoints: names.map((name) => `${functions}/${name}/index.ts`),
    outdir: "nowhere",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    packages: "external",
  });
  const imported = Object.values(metafile.inputs)
    .flatMap((input) => input.imports)
    .filter(({ external, path }) => external && !path.startsWith("node:"))
    .map(({ path }) => path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
  expect([...new Set(imported)].toSorted()).toEqual(Object.keys(imports).toSorted());
});
