import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type SiteConfig, withSiteConfig } from "./site-config.ts";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

type Encoding = "br" | "gzip" | "identity";

/** A file of the built site, read. */
export interface SiteFile {
  path: string;
  modified: number;
  bytes: Buffer<ArrayBuffer>;
  mark: string;
  /** The answers that give the whole file; each is made once. */
  whole: Map<Encoding, Promise<FileAnswer>>;
}

/** How a file is answered; a HEAD request gets everything but the body. */
export interface FileAnswer {
  status: 200 | 304;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer> | null;
}

/** What of a request's headers decides about the answer. */
interface Asked {
  acceptEncoding: string | null;
  ifNoneMatch: string | null;
}

/** The files of the built site. Each is read once, and again when it has changed. */
export interface SiteFiles {
  /** Null when there is no such file, or none that may be served. */
  load(path: string): Promise<SiteFile | null>;
  /** A file that was read already and never changes, since its name says what it holds. */
  held(path: string): SiteFile | undefined;
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

/** The files of `directory`, the page with `config` in it. Paths are decoded, and lead nowhere else. */
export function createSiteFiles(directory: string, config: SiteConfig): SiteFiles {
  const files = new Map<string, SiteFile>();
  const held = (path: string) => (isNamedByContent(path) ? files.get(path) : undefined);
  return {
    held,
    async load(path) {
      const place = join(directory, path);
      if (!place.startsWith(directory + sep)) return null;
      const lasting = held(path);
      if (lasting) return lasting;
      const entry = await stat(place).catch(() => null);
      if (!entry?.isFile()) return null;
      const known = files.get(path);
      if (known && known.modified === entry.mtimeMs) return known;
      const content = await readFile(place);
      const bytes = path === "/index.html" ? Buffer.from(withSiteConfig(content.toString("utf8"), config)) : content;
      const mark = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
      const file: SiteFile = { path, modified: entry.mtimeMs, bytes, mark, whole: new Map() };
      files.set(path, file);
      return file;
    },
  };
}

/** Whether a file has a hash of what it holds in its name, so that it never changes. */
const isNamedByContent = (path: string) => /^\/(assets|chat-page|share-page)\//.test(path);

/** The file as the request accepts it, or word that the sender has it already. */
export async function answerWith(file: SiteFile, { acceptEncoding, ifNoneMatch }: Asked): Promise<FileAnswer> {
  const extension = extname(file.path).toLowerCase();
  const encoding = worthCompressing.has(extension) ? chosenEncoding(acceptEncoding ?? "") : "identity";
  const etag = `"${file.mark}-${encoding}"`;
  const isKnown = ifNoneMatch?.split(/\s*,\s*/).includes(etag) ?? false;
  const made = isKnown ? undefined : file.whole.get(encoding);
  if (made) return made;
  const headers = {
    "content-type": contentTypes[extension] ?? "application/octet-stream",
    "cache-control": isNamedByContent(file.path) ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
  };
  if (isKnown) return { status: 304, headers, body: null };
  const whole = wholeAnswer(file.bytes, encoding, headers);
  file.whole.set(encoding, whole);
  return whole;
}

async function wholeAnswer(
  bytes: Buffer<ArrayBuffer>,
  encoding: Encoding,
  common: Record<string, string>,
): Promise<FileAnswer> {
  const body = await compress(bytes, encoding);
  const encoded: Record<string, string> = encoding === "identity" ? {} : { "content-encoding": encoding };
  return { status: 200, headers: { ...common, ...encoded, "content-length": String(body.byteLength) }, body };
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

function chosenEncoding(acceptEncoding: string): Encoding {
  const accepted = acceptEncoding
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(";")[0]);
  if (accepted.includes("br")) return "br";
  return accepted.includes("gzip") ? "gzip" : "identity";
}
