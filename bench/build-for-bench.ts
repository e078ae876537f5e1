import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * A module of this folder, built as the site is: what runs sources directly wraps every function to keep its name, which
 * the site does not pay for, nor the package it is held against. Packages stay outside. `remove` deletes what was built.
 */
export async function buildForBench<Module>(file: string): Promise<{ module: Module; remove(): Promise<void> }> {
  // Below the packages, so that imports of them are found.
  const outDir = await mkdtemp(join(here, "../node_modules/.bench-"));
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: join(here, file), outDir, target: "esnext", minify: false, emptyOutDir: false },
  });
  const module: Module = await import(pathToFileURL(join(outDir, file.replace(/\.ts$/, ".js"))).href);
  return { module, remove: () => rm(outDir, { recursive: true, force: true }) };
}
