import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chatPage, widget } from "./scripts/chat-page.ts";
import { protectSite } from "./scripts/protect-site.ts";
import { signInShell } from "./scripts/sign-in-shell.ts";
import { sharePage } from "./scripts/share-page.ts";
import { siteLayers } from "./scripts/site-layers.ts";

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
    sharePage(process.env.VITE_SUPABASE_URL),
  ],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The largest piece is what every page needs: 1 MB, of which 300 kB travel. Whoever starts the studio need not read of it.
    chunkSizeWarningLimit: 1_300,
    rolldownOptions: {
      checks,
      output: {
        codeSplitting: {
          groups: [{ name: "site", tags: ["$initial"] }, ...siteLayers],
        },
      },
    },
  },
  worker: { format: "es", rolldownOptions: { checks } },
});
