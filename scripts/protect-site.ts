import type { Plugin } from "vite";
import { pagePolicy, siteHeaders } from "../supabase/local/security-headers.ts";

/**
 * Gives the built site its own protection, wherever it is hosted: the content security policy in the page itself, and the
 * headers as files that static hosts read. `backendUrl` is the Supabase that is built in; without one it is the page's origin.
 */
export function protectSite(backendUrl: string | undefined): Plugin {
  const backend = backendUrl ? new URL(backendUrl).origin : null;
  const headers = siteHeaders(backend);
  return {
    name: "protect-site",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const tag = `<meta http-equiv="Content-Security-Policy" content="${pagePolicy(backend)}" />`;
        // Before anything that it governs.
        return html.replace(/(<meta charset[^>]*>)/i, `$1\n    ${tag}`);
      },
    },
    generateBundle() {
      for (const [fileName, source] of Object.entries(headerFiles(headers))) {
        this.emitFile({ type: "asset", fileName, source });
      }
    },
  };
}

/** By name: Netlify and Cloudflare Pages, Vercel, Azure Static Web Apps. The last two also send every page to index.html. */
function headerFiles(headers: Record<string, string>): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  const list = Object.entries(headers).map(([key, value]) => ({ key, value }));
  const vercel = {
    headers: [{ source: "/(.*)", headers: list }],
    rewrites: [{ source: "/((?!assets/).*)", destination: "/index.html" }],
  };
  const azure = {
    globalHeaders: headers,
    navigationFallback: { rewrite: "/index.html", exclude: ["/assets/*"] },
  };
  return {
    _headers: `${["/*", ...lines].join("\n")}\n`,
    "vercel.json": `${JSON.stringify(vercel, null, 2)}\n`,
    "staticwebapp.config.json": `${JSON.stringify(azure, null, 2)}\n`,
  };
}
