import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { pagePolicyOfShare, policyOfShareFile } from "../supabase/local/http/security-headers.ts";
import { buildStandalonePage } from "./standalone-page.ts";

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
      const files = await buildStandalonePage("share.html", {
        assetsDir: "share-page",
        policy: pagePolicyOfShare(backend),
        modulePreload: false,
        chunkSizeWarningLimit: 1_200,
        rolldownOptions: { output: { codeSplitting: false } },
      });
      for (const { fileName, source } of files) this.emitFile({ type: "asset", fileName, source });
      const script = String(files.find(({ isScript }) => isScript)?.source ?? "");
      const style = String(files.find(({ fileName }) => fileName.endsWith(".css"))?.source ?? "");
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
