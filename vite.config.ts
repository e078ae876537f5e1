import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      output: {
        // What the editor needs at once comes in few files, however many lazy parts share it.
        codeSplitting: {
          groups: [
            {
              name: "editing",
              test: /\/src\/(stores\/(commands|editing)\/(?!layout-)|engine\/(document\/(?!validate)|config)\/)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
});
