import { fileURLToPath } from "node:url";
import { normalizePath } from "vite";

/** All modules of one build; the same object for all questions about it. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * What people load one after the other. What several pages share comes with the first of these that needs it; without that, each
 * combination of pages that share something would have a file of its own.
 */
export const layers = {
  account: "src/app/pages/account-pages.ts",
  library: "src/app/pages/library-page.tsx",
  templates: "src/features/library/templates-part.ts",
  canvas: "src/app/pages/editor-page.tsx",
  checks: "src/state/document/problem-checks.ts",
  settings: "src/app/pages/settings-pages.ts",
  lists: "src/app/pages/runs-pages.ts",
  runs: "src/features/run/execute-run.ts",
  workbench: "src/app/pages/workbench.tsx",
};

const known = new WeakMap<ModuleGraph, ReadonlyMap<string, string>>();

function layersOf(graph: ModuleGraph): ReadonlyMap<string, string> {
  const before = known.get(graph);
  if (before) return before;
  const found = new Map<string, string>();
  for (const [name, file] of Object.entries(layers)) {
    const start = normalizePath(fileURLToPath(new URL(`../${file}`, import.meta.url)));
    if (!graph.getModuleInfo(start)) throw new Error(`The site does not load ${file}.`);
    const open = [start];
    for (const id of open) {
      if (found.has(id)) continue;
      found.set(id, name);
      open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
  }
  known.set(graph, found);
  return found;
}

/** One group a layer, in this order: a group takes in all that its modules import. */
export const siteLayers = Object.keys(layers).map((layer) => ({
  name: (id: string, graph: ModuleGraph) => (layersOf(graph).get(id) === layer ? layer : null),
  // What the editor shares with what it alone loads later counts as its own: that layer has all of the page.
  minShareCount: layer === "canvas" ? 1 : 2,
}));
