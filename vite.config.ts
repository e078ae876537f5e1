import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chatPage, widget } from "./scripts/chat-page.ts";
import { protectSite } from "./scripts/protect-site.ts";
import { neededForCanvas, sharedWithPages } from "./scripts/site-chunks.ts";
import { signInShell } from "./scripts/sign-in-shell.ts";

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
            // In this order, since a group takes in what its modules import.
            { name: (id, graph) => (sharedWithPages(id, graph) ? "editing" : null), minShareCount: 2 },
            { name: (id, graph) => (neededForCanvas(id, graph) ? "canvas" : null), minShareCount: 2 },
          ],
        },
      },
    },
  },
  worker: { format: "es", rolldownOptions: { checks } },
});
