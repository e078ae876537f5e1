import { fileURLToPath } from "node:url";
import { normalizePath } from "vite";
import { expect, test } from "vitest";
import { layers, siteLayers } from "./site-layers.ts";

const start = (file: string) => normalizePath(fileURLToPath(new URL(`../${file}`, import.meta.url)));

/** A graph of modules by what each imports. */
const graphOf = (modules: Readonly<Record<string, readonly string[]>>) => ({
  getModuleInfo: (id: string) => (modules[id] ? { importedIds: modules[id] } : null),
});

test("a module belongs to the first layer that imports it", () => {
  const starts = Object.fromEntries(Object.values(layers).map((file) => [start(file), ["/everywhere.ts"]]));
  const graph = graphOf({
    ...starts,
    [start(layers.canvas)]: ["/everywhere.ts", "/wire.ts"],
    [start(layers.workbench)]: ["/form.ts"],
    "/form.ts": ["/wire.ts"],
    "/wire.ts": [],
    "/everywhere.ts": [],
    "/importer.ts": [],
  });
  const layerOf = (id: string) => siteLayers.map(({ name }) => name(id, graph)).filter((name) => name !== null);
  expect(layerOf("/everywhere.ts")).toEqual(["account"]);
  expect(layerOf("/wire.ts")).toEqual(["canvas"]);
  expect(layerOf("/form.ts")).toEqual(["workbench"]);
  expect(layerOf("/importer.ts")).toEqual([]);
});

test("a layer that the site does not load is refused", () => {
  expect(() => siteLayers[0]?.name("/one.ts", graphOf({}))).toThrow("does not load");
});
