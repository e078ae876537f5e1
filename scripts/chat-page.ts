import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { pagePolicyOfChat } from "../supabase/local/http/security-headers.ts";
import { buildStandalonePage } from "./standalone-page.ts";

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
      const files = await buildStandalonePage("chat.html", {
        assetsDir: "chat-page",
        policy: pagePolicyOfChat(backend),
        modulePreload: { polyfill: false },
      });
      for (const { fileName, source } of files) this.emitFile({ type: "asset", fileName, source });
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
