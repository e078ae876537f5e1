import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { neededForCanvas, sharedWithPages } from "./site-chunks.ts";

const app = fileURLToPath(new URL("../src/app/app.tsx", import.meta.url));

/** A graph of modules by what each imports at once and what it loads later. */
function graphOf(modules: Record<string, { imports?: string[]; later?: string[] }>) {
  return {
    getModuleInfo(id: string) {
      const { imports = [], later = [] } = modules[id] ?? {};
      return {
        importedIds: imports,
        dynamicallyImportedIds: later,
      };
    },
  };
}

const queries = "/@tanstack/react-query/index.js";

const graph = graphOf({
  [app]: { later: ["/pages/editor-page.tsx", "/pages/run-page.tsx", "/pages/library-page.tsx"] },
  "/pages/editor-page.tsx": { imports: ["/canvas.ts", "/registry.ts", queries], later: ["/inspector.ts"] },
  "/pages/run-page.tsx": { imports: ["/canvas.ts"] },
  "/pages/library-page.tsx": { imports: [queries], later: ["/templates.ts"] },
  [queries]: { imports: ["/@tanstack/react-query/useQuery.js", "/@tanstack/react-query/useMutation.js"] },
  "/templates.ts": { imports: ["/registry.ts"] },
  "/canvas.ts": { imports: ["/geometry.ts"] },
  "/inspector.ts": { imports: ["/geometry.ts", "/form.ts"] },
  "/registry.ts": { later: ["/adapter.ts"] },
});

describe("the files of the site", () => {
  it("keep apart what other pages may load, at once or later, from what only a canvas needs", () => {
    const ids = ["/canvas.ts", "/geometry.ts", "/registry.ts"];
    expect(ids.filter((id) => neededForCanvas(id, graph))).toEqual(["/canvas.ts", "/geometry.ts"]);
    expect(ids.filter((id) => sharedWithPages(id, graph))).toEqual(["/registry.ts"]);
  });

  it("leave to itself what the editor loads later", () => {
    for (const id of ["/inspector.ts", "/form.ts", "/templates.ts", "/adapter.ts"]) {
      expect(neededForCanvas(id, graph) || sharedWithPages(id, graph)).toBe(false);
    }
  });

  it("leave to itself what only the index of a package makes part of the editor", () => {
    expect(sharedWithPages("/@tanstack/react-query/useQuery.js", graph)).toBe(true);
    expect(sharedWithPages("/@tanstack/react-query/useMutation.js", graph)).toBe(false);
  });

  it("cannot be made when the editor's page is not found", () => {
    const empty = graphOf({});
    expect(() => neededForCanvas("/canvas.ts", empty)).toThrow("does not load the page of the editor");
  });
});
