import type { Plugin } from "vite";
import {
  appPageHeaders,
  appPagePath,
  chatFileHeaders,
  chatPageHeaders,
  pagePolicy,
  sharePageHeaders,
  siteHeaders,
} from "../supabase/local/http/security-headers.ts";

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
      for (const [fileName, source] of Object.entries(
        headerFiles(headers, chatPageHeaders(backend, "any"), sharePageHeaders(backend)),
      )) {
        this.emitFile({ type: "asset", fileName, source });
      }
    },
  };
}

type Headers = Record<string, string>;

/**
 * By name: Netlify and Cloudflare Pages, Vercel, Azure Static Web Apps. Each also sends the studio's pages to index.html, chat
 * pages to chat.html and shared runs to share.html. `_headers` adds the rules of all matching paths up: there a chat page keeps the studio's headers besides
 * its own, and no site can frame it; nor can the studio frame the page of interfaces, so none are shown.
 */
function headerFiles(studio: Headers, chat: Headers, share: Headers): Record<string, string> {
  const lines = (headers: Headers) => Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  const list = (headers: Headers) => Object.entries(headers).map(([key, value]) => ({ key, value }));
  const vercel = {
    headers: [
      { source: "/((?!c/|s/|chat-page/|share-page/|widget\\.js|mcp-app\\.html).*)", headers: list(studio) },
      { source: "/c/(.*)", headers: list(chat) },
      { source: "/s/(.*)", headers: list(share) },
      { source: appPagePath, headers: list(appPageHeaders) },
      { source: "/(chat-page/.*|share-page/.*|widget\\.js)", headers: list(chatFileHeaders) },
    ],
    rewrites: [
      { source: "/c/:slug", destination: "/chat.html" },
      { source: "/s/:slug", destination: "/share.html" },
      { source: "/((?!assets/|chat-page/|share-page/|mcp-app\\.html).*)", destination: "/index.html" },
    ],
  };
  const azure = {
    globalHeaders: studio,
    routes: [
      { route: "/c/*", rewrite: "/chat.html", headers: { ...chat, "x-frame-options": "" } },
      { route: "/s/*", rewrite: "/share.html", headers: share },
      { route: appPagePath, headers: { ...appPageHeaders, "x-frame-options": "" } },
      { route: "/chat-page/*", headers: chatFileHeaders },
      { route: "/share-page/*", headers: chatFileHeaders },
      { route: "/widget.js", headers: chatFileHeaders },
    ],
    navigationFallback: { rewrite: "/index.html", exclude: ["/assets/*", "/chat-page/*", "/share-page/*"] },
  };
  const blocks: [path: string, headers: Headers][] = [
    ["/*", studio],
    ["/c/*", chat],
    ["/chat-page/*", chatFileHeaders],
    ["/s/*", share],
    ["/share-page/*", chatFileHeaders],
    [appPagePath, appPageHeaders],
  ];
  return {
    _headers: `${blocks.flatMap(([path, of]) => [path, ...lines(of)]).join("\n")}\n`,
    _redirects: "/c/* /chat.html 200\n/s/* /share.html 200\n/* /index.html 200\n",
    "vercel.json": `${JSON.stringify(vercel, null, 2)}\n`,
    "staticwebapp.config.json": `${JSON.stringify(azure, null, 2)}\n`,
  };
}
