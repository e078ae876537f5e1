import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chatPage, widget } from "./scripts/chat-page.ts";
import { protectSite } from "./scripts/protect-site.ts";
import { signInShell } from "./scripts/sign-in-shell.ts";

/** What the editor needs at once and other parts need as well: one file, however many share it. */
const editing = [
  /\/src\/stores\/(commands\/(?!set-config)|editing\/(?!layout-|open-connections))/,
  /\/src\/stores\/[a-z]+-store\./,
  /\/src\/engine\/(document\/(?!validate|diff-|graph-|unknown-)|config\/|agent\/settings|run\/(errors|run-state))/,
  /\/src\/nodes\/index\./,
  /\/src\/ui\/(format-duration|icon-button|lazy-part|menu|popover|theme)\./,
];

interface Importers {
  importers: readonly string[];
  dynamicImporters: readonly string[];
}

/** Whether a module is what nodes do (`x.run.ts`), or is imported by such modules alone. */
function servesRunsAlone(id: string, infoOf: (id: string) => Importers | null, seen = new Set<string>()): boolean {
  if (id.endsWith(".run.ts") || seen.has(id)) return true;
  seen.add(id);
  const info = infoOf(id);
  if (!info || info.importers.length === 0 || info.dynamicImporters.length > 0) return false;
  return info.importers.every((importer) => servesRunsAlone(importer, infoOf, seen));
}

/** Who starts the studio on a slow machine need not read where a build spends its time. */
const checks = { bundlerTimings: false };

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    signInShell(),
    protectSite(process.env.VITE_SUPABASE_URL),
    chatPage(process.env.VITE_SUPABASE_URL),
    widget(),
  ],
  build: {
    target: "es2023",
    modulePreload: {
      polyfill: false,
      // The first pages come with all that they import in one go. What is loaded later needs no list of its imports: the
      // lists would be a part of what loads first.
      resolveDependencies: (file, imports, { hostType }) =>
        hostType === "html" || /(editor|library)-page-[^/]*$/.test(file)
          ? imports
          : imports.filter((name) => name.endsWith(".css")),
    },
    assetsInlineLimit: 0,
    // The largest pieces are pdf.js and the importers, which are loaded only to read a PDF or another builder's file.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      checks,
      treeshake: {
        manualPureFunctions: [
          "memo",
          "forwardRef",
          "createSimpleBezierEdge",
          "createSmoothStepEdge",
          "createStepEdge",
          "createStraightEdge",
          "createBezierEdge",
        ],
      },
      output: {
        codeSplitting: {
          groups: [
            { name: "site", tags: ["$initial"] },
            { name: "editing", test: (id) => editing.some((part) => part.test(id)), minShareCount: 2 },
            // What nodes do comes in one file, with the first run or once the editor has nothing else to load.
            {
              name: (id, graph) => (servesRunsAlone(id, (each) => graph.getModuleInfo(each)) ? "node-runs" : null),
              test: /\/src\//,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  worker: { format: "es", rolldownOptions: { checks } },
});
