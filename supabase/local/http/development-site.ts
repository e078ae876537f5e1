import type { Server } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { OriginGuard } from "./origin-guard.ts";
import { type SiteConfig, withSiteConfig } from "./site-config.ts";
import { appPageHeaders, appPagePath } from "./security-headers.ts";
import type { SiteHandler } from "./site-handler.ts";

/** The site straight from its sources, with Vite's hot reload on the same origin. */
interface DevelopmentSite {
  site: SiteHandler;
  close(): Promise<void>;
}

/** `headers` are set on Vite's answers, which it writes to the connection itself; `guard` checks WebSocket handshakes. */
export async function createDevelopmentSite(options: {
  projectRoot: string;
  /** Its database changes all the time and its keys are nobody's business: neither watched nor served. */
  dataRoot: string;
  server: Server;
  config: SiteConfig;
  headers: Record<string, string>;
  guard: OriginGuard;
}): Promise<DevelopmentSite> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: options.projectRoot,
    appType: "spa",
    server: {
      middlewareMode: true,
      hmr: { server: options.server },
      cors: false,
      watch: { ignored: [`${options.dataRoot}/**`] },
      // Vite's own list and the data directory; a relative pattern matches anywhere.
      fs: { deny: [".env", ".env.*", "*.{crt,pem}", "**/.git/**", "**/.switchyard/**", `${options.dataRoot}/**`] },
    },
    plugins: [{ name: "switchyard-config", transformIndexHtml: (html) => withSiteConfig(html, options.config) }],
  });
  // Handshakes for hot reload do not pass the routes. Vite, which comes next, finds the connection closed.
  options.server.prependListener("upgrade", ({ headers }, socket) => {
    const given = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    if (options.guard(new Request("http://upgrade.invalid/", { headers: given }))) socket.destroy();
  });
  return {
    site: async (request, { incoming, outgoing }) => {
      const headers = new URL(request.url).pathname === appPagePath ? appPageHeaders : options.headers;
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
      vite.middlewares(incoming, outgoing, () => {
        outgoing.statusCode = 404;
        outgoing.end("Not found.\n");
      });
      return RESPONSE_ALREADY_SENT;
    },
    close: () => vite.close(),
  };
}
