import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { pagePolicyOfChat } from "../supabase/local/http/security-headers.ts";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/**
 * Builds the chat page into the site: `chat.html` and its files under `chat-page/`. It is a build of its own, so that the page
 * shares no file with the studio: it runs under other headers, and its files may be read from its opaque origin.
 */
export function chatPage(backendUrl: string | undefined): Plugin {
  const backend = backendUrl ? new URL(backendUrl).origin : null;
  return {
    name: "chat-page",
    apply: "build",
    async generateBundle() {
      const built = await build({
        configFile: false,
        root: projectRoot,
        logLevel: "warn",
        publicDir: false,
        plugins: [react(), tailwindcss()],
        build: {
          target: "es2023",
          write: false,
          assetsDir: "chat-page",
          assetsInlineLimit: 0,
          modulePreload: { polyfill: false },
          rolldownOptions: { input: `${projectRoot}chat.html`, checks: { bundlerTimings: false } },
        },
      });
      for (const { output } of [built].flat().filter((one) => "output" in one)) {
        for (const file of output) {
          const source = file.type === "chunk" ? file.code : file.source;
          const isPage = file.fileName.endsWith(".html");
          const page = isPage ? withPolicy(String(source), pagePolicyOfChat(backend)) : source;
          this.emitFile({ type: "asset", fileName: file.fileName, source: page });
        }
      }
    },
  };
}

/** Builds the widget into the site: `widget.js`, one script that a site of others takes in. */
export function widget(): Plugin {
  return {
    name: "widget",
    apply: "build",
    async generateBundle() {
      const built = await build({
        configFile: false,
        root: projectRoot,
        logLevel: "warn",
        publicDir: false,
        build: {
          target: "es2022",
          write: false,
          modulePreload: false,
          rolldownOptions: {
            input: `${projectRoot}src/widget/switchyard-chat.ts`,
            output: { format: "iife", entryFileNames: "widget.js" },
            checks: { bundlerTimings: false },
          },
        },
      });
      for (const { output } of [built].flat().filter((one) => "output" in one)) {
        for (const file of output) {
          if (file.type === "chunk") this.emitFile({ type: "asset", fileName: file.fileName, source: file.code });
        }
      }
    },
  };
}

/** Before anything that the policy governs. */
function withPolicy(html: string, policy: string): string {
  return html.replace(
    /(<meta charset[^>]*>)/i,
    `$1\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}
