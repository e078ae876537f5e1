import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chatPageSlug } from "./chat-site.ts";
import { bufferedAnswer } from "./send-answer.ts";
import { type SiteConfig, withSiteConfig } from "./site-config.ts";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Answers GET and HEAD for the built site. */
type Site = (request: Request) => Promise<Response>;

type Encoding = "br" | "gzip" | "identity";

interface Asset {
  modified: number;
  bytes: Buffer<ArrayBuffer>;
  etag: string;
  compressed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>;
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".woff": "font/woff",
  ".txt": "text/plain; charset=utf-8",
};

const worthCompressing = new Set([".html", ".js", ".mjs", ".css", ".json", ".webmanifest", ".wasm", ".svg", ".txt"]);

const notFound = () => new Response("Not found.\n", { status: 404, headers: { "content-type": "text/plain" } });

/**
 * Serves `directory`: files under assets/ and chat-page/ carry a hash in their name and are kept by the browser for good, the rest is
 * checked by ETag each time. A path without a file of its own gets index.html, where the site's router takes over, or chat.html.
 * Files are read and compressed once.
 */
export function createSite(directory: string, config: SiteConfig): Site {
  const assets = new Map<string, Asset>();

  async function load(path: string): Promise<Asset | null> {
    const file = join(directory, path);
    if (!file.startsWith(directory + sep)) return null;
    const known = assets.get(path);
    if (known && isNamedByContent(path)) return known;
    const entry = await stat(file).catch(() => null);
    if (!entry?.isFile()) return null;
    if (known && known.modified === entry.mtimeMs) return known;
    const content = await readFile(file);
    const bytes = path === "/index.html" ? Buffer.from(withSiteConfig(content.toString("utf8"), config)) : content;
    const etag = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
    const asset: Asset = { modified: entry.mtimeMs, bytes, etag, compressed: new Map() };
    assets.set(path, asset);
    return asset;
  }

  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response("Method not allowed.\n", { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const path = decodedPath(request.url);
    if (path === null) return notFound();
    const own = path === "/" ? null : await load(path);
    if (!own && extname(path) !== "") return notFound();
    const page = chatPageSlug(path) === null ? "/index.html" : "/chat.html";
    const asset = own ?? (await load(page));
    if (!asset) return notBuilt();
    return respond(request, own ? path : page, asset);
  };
}

/** Whether a file has a hash of what it holds in its name, so that it never changes. */
const isNamedByContent = (path: string) => /^\/(assets|chat-page)\//.test(path);

async function respond(request: Request, path: string, asset: Asset): Promise<Response> {
  const extension = extname(path).toLowerCase();
  const encoding = worthCompressing.has(extension) ? chosenEncoding(request.headers) : "identity";
  const etag = `"${asset.etag}-${encoding}"`;
  const headers = new Headers({
    "content-type": contentTypes[extension] ?? "application/octet-stream",
    "cache-control": isNamedByContent(path) ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
  });
  if (
    request.headers
      .get("if-none-match")
      ?.split(/\s*,\s*/)
      .includes(etag)
  ) {
    return new Response(null, { status: 304, headers });
  }
  const body = await encoded(asset, encoding);
  if (encoding !== "identity") headers.set("content-encoding", encoding);
  headers.set("content-length", String(body.byteLength));
  return request.method === "HEAD" ? new Response(null, { headers }) : bufferedAnswer(body, { headers });
}

function encoded(asset: Asset, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = asset.compressed.get(encoding);
  if (known) return known;
  const made = compress(asset.bytes, encoding);
  asset.compressed.set(encoding, made);
  return made;
}

async function compress(bytes: Buffer<ArrayBuffer>, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  switch (encoding) {
    case "br":
      return compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    case "gzip":
      return compressGzip(bytes);
    case "identity":
      return bytes;
  }
}

function chosenEncoding(headers: Headers): Encoding {
  const accepted = (headers.get("accept-encoding") ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(";")[0]);
  if (accepted.includes("br")) return "br";
  return accepted.includes("gzip") ? "gzip" : "identity";
}

/** The path of a file that may be served, or null: no hidden files, no way out of the directory. */
function decodedPath(url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url).pathname);
    return /[\0\\]|\/\./.test(path) ? null : path;
  } catch {
    return null;
  }
}

function notBuilt(): Response {
  return new Response("The site has not been built. Run `npm start`, or `npm run build`, in the project directory.\n", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
