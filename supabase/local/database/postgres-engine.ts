import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Postgres itself, and the files that every database shares; both are PGlite's. */
export interface PostgresEngine {
  pgliteWasmModule: WebAssembly.Module;
  fsBundle: Blob;
}

/**
 * Reads and compiles Postgres, which PGlite by itself begins only once it knows the directory: by then it can be done.
 * Rejects when the package is not whole.
 */
export async function loadPostgresEngine(): Promise<PostgresEngine> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  const files = readFile(join(folder, "pglite.data"));
  // Told to whoever asks for them.
  files.catch(() => undefined);
  const code = await readFile(join(folder, "pglite.wasm"));
  return { pgliteWasmModule: await WebAssembly.compile(code), fsBundle: new PassingBlob(files) };
}

/** Hands its content on once and keeps none: PGlite holds on to the blob for as long as it runs, and copies a usual one. */
class PassingBlob extends Blob {
  #content: Promise<Buffer<ArrayBuffer>> | undefined;

  constructor(content: Promise<Buffer<ArrayBuffer>>) {
    super();
    this.#content = content;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    const content = this.#content;
    this.#content = undefined;
    if (!content) throw new Error("The content has been handed on already.");
    const { buffer, byteOffset, byteLength } = await content;
    return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
  }
}
