import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod/mini";

const readJson = async (path: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(path, import.meta.url), "utf8"));

test("functions deploy with the versions that they were tested with", async () => {
  const { imports } = z.object({ imports: z.record(z.string(), z.string()) }).parse(await readJson("../deno.json"));
  const project = z.object({ dependencies: z.record(z.string(), z.string()) });
  const { dependencies } = project.parse(await readJson("../../../package.json"));
  expect(Object.keys(imports).length).toBeGreaterThan(0);
  for (const [name, pinned] of Object.entries(imports)) expect(pinned).toBe(`npm:${name}@${dependencies[name]}`);
});
