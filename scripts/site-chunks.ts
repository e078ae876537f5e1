import { fileURLToPath } from "node:url";
import { normalizePath } from "vite";

/** What rolldown says of a module. */
interface ModuleImports {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** All modules of one build; the same object for all questions about it. */
interface ModuleGraph {
  getModuleInfo(id: string): ModuleImports | null;
}

const app = normalizePath(fileURLToPath(new URL("../src/app/app.tsx", import.meta.url)));
const editorPage = /\/pages\/editor-page\.tsx$/;
/** Pages with a canvas; what is loaded for one serves the other. */
const canvasPages = /\/pages\/(editor|run)-page\.tsx$/;

/**
 * Parts of React Query that the editor does not use at once. Whoever imports the package imports its index, and that imports
 * everything.
 */
const usedLater =
  /\/@tanstack\/.*\/(useMutation|mutationObserver|mutationOptions|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** These modules with all that they import, and with `later` also what they may load later. */
function withImports(graph: ModuleGraph, starts: readonly string[], later = false): Set<string> {
  const found = new Set(starts);
  for (const id of found) {
    const info = graph.getModuleInfo(id);
    for (const next of info?.importedIds ?? []) if (!usedLater.test(next)) found.add(next);
    if (later) for (const next of info?.dynamicallyImportedIds ?? []) found.add(next);
  }
  return found;
}

interface EditorModules {
  /** All that the editor imports. */
  first: Set<string>;
  /** All that pages without a canvas may ever load. */
  elsewhere: Set<string>;
}

const known = new WeakMap<ModuleGraph, EditorModules>();

function editorModules(graph: ModuleGraph): EditorModules {
  const before = known.get(graph);
  if (before !== undefined) return before;
  const pages = graph.getModuleInfo(app)?.dynamicallyImportedIds ?? [];
  const editor = pages.filter((id) => editorPage.test(id));
  if (editor.length === 0) throw new Error(`${app} does not load the page of the editor.`);
  const modules = {
    first: withImports(graph, editor),
    elsewhere: withImports(
      graph,
      pages.filter((id) => !canvasPages.test(id)),
      true,
    ),
  };
  known.set(graph, modules);
  return modules;
}

/** Whether the editor imports a module that pages without a canvas may load, too. */
export function sharedWithPages(id: string, graph: ModuleGraph): boolean {
  const { first, elsewhere } = editorModules(graph);
  return first.has(id) && elsewhere.has(id);
}

/**
 * Whether the editor imports a module that no page without a canvas ever loads. Parts of the editor that are loaded later
 * import many of them, too: without one file for all, each would get its own.
 */
export function neededForCanvas(id: string, graph: ModuleGraph): boolean {
  const { first, elsewhere } = editorModules(graph);
  return first.has(id) && !elsewhere.has(id);
}
