import { createHash } from "node:crypto";
import { type LoopbackServer, startLoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";

/** What the site says at a path: a text, or more of an answer. */
type SitePage = string | { status?: number; headers?: Record<string, string>; body?: string };

/** A web site on loopback whose pages change under the eyes of a test. It answers requests for what has changed. */
export interface SourceSite {
  origin: string;
  host: string;
  pages: Map<string, SitePage>;
  /** Paths that were asked for since the last time, with their statuses. */
  asked(): string[];
  stop(): Promise<void>;
}

export async function startSourceSite(): Promise<SourceSite> {
  const pages = new Map<string, SitePage>();
  let asked: string[] = [];
  const server: LoopbackServer = await startLoopbackServer((request, response) => {
    const path = request.url ?? "";
    const page = pages.get(path) ?? { status: 404, body: "Not found" };
    const { status = 200, headers = {}, body = "" } = typeof page === "string" ? { body: page } : page;
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 12)}"`;
    const isSame = status === 200 && request.headers["if-none-match"] === etag;
    asked.push(`${isSame ? 304 : status} ${path}`);
    response.writeHead(isSame ? 304 : status, {
      "content-type": path.endsWith(".xml") ? "application/xml" : "text/html; charset=utf-8",
      etag,
      ...headers,
    });
    response.end(isSame ? undefined : body);
  });
  return {
    origin: `http://${server.host}`,
    host: server.host,
    pages,
    asked() {
      const now = asked;
      asked = [];
      return now;
    },
    stop: () => server.stop(),
  };
}

/** A page with a title, a text and links. */
export function htmlPage(title: string, text: string, links: readonly string[] = []): string {
  const list = links.map((link) => `<li><a href="${link}">${link}</a></li>`).join("");
  return `<!doctype html><title>${title}</title><body><h1>${title}</h1><p>${text}</p><ul>${list}</ul></body>`;
}

/** A sitemap of these addresses. */
export function sitemap(urls: readonly string[]): string {
  return `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
}
