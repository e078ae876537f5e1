import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { pagePolicyOfShare, policyOfShareFile } from "../supabase/local/http/security-headers.ts";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/**
 * Builds the page of shared runs into the site: `share.html` and its files under `share-page/`, apart from the studio as the chat
 * page is, and `share-file.html`, the same page in one file, into which the studio writes a run that is saved as a file.
 */
export function sharePage(backendUrl: string | undefined): Plugin {
  const backend = backendUrl ? new URL(backendUrl).origin : null;
  return {
    name: "share-page",
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
          assetsDir: "share-page",
          assetsInlineLimit: 0,
          modulePreload: false,
          chunkSizeWarningLimit: 1_200,
          rolldownOptions: {
            input: `${projectRoot}share.html`,
            output: { codeSplitting: false },
            checks: { bundlerTimings: false },
          },
        },
      });
      let [script, style] = ["", ""];
      for (const { output } of [built].flat().filter((one) => "output" in one)) {
        for (const file of output) {
          const source = file.type === "chunk" ? file.code : file.source;
          if (file.type === "chunk") script = file.code;
          if (file.fileName.endsWith(".css")) style = String(source);
          const isPage = file.fileName.endsWith(".html");
          const page = isPage ? withPolicy(String(source), pagePolicyOfShare(backend)) : source;
          this.emitFile({ type: "asset", fileName: file.fileName, source: page });
        }
      }
      this.emitFile({ type: "asset", fileName: "share-file.html", source: oneFile(script, style) });
    },
  };
}

/** The page with all it needs. It asks nobody for anything, so it does without its fonts. */
function oneFile(script: string, style: string): string {
  const inlined = script.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`);
  const hash = createHash("sha256").update(inlined).digest("base64");
  const looks = style.replaceAll(/@font-face\s*\{[^}]*\}/g, "");
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyOfShareFile(hash)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">',
    `<title>Shared run</title><style>${looks}</style></head>`,
    '<body><div id="root"></div><noscript>This page needs JavaScript.</noscript>',
    '<script type="application/json" id="shared-run"></script>',
    `<script type="module">${inlined}</script></body></html>`,
    "",
  ].join("\n");
}

/** Before anything that the policy governs. */
function withPolicy(html: string, policy: string): string {
  return html.replace(
    /(<meta charset[^>]*>)/i,
    `$1\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}
