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
  const [code, files] = await Promise.all(["pglite.wasm", "pglite.data"].map((name) => readFile(join(folder, name))));
  if (!code || !files) throw new Error("The files of PGlite are missing.");
  return { pgliteWasmModule: await WebAssembly.compile(code), fsBundle: new Blob([files]) };
}
