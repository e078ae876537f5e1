import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

/**
 * Bytes that a project takes for one function where it is bundled by its server
 * (https://supabase.com/docs/guides/troubleshooting/edge-function-bundle-size-issues).
 */
export const largestBundle = 5_000_000;

/** A function as it is deployed. */
export interface FunctionBundle {
  name: string;
  bytes: number;
}

/** It reads a file beside its code, so the server gets it as a package. */
const unbundled = "libpg-query";

/** Packages of the older kind ask for Node's modules with `require`. */
const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

/**
 * Writes each edge function of the project at `root` as one file, with what it uses of its packages, to `workdir`, where the Supabase
 * CLI finds it: `supabase/functions/<name>/index.js`, and a `supabase/config.toml` that says so. What was there before goes. Without
 * it a project would load whole packages, of which some functions need more than it takes.
 */
export async function writeFunctionBundles(root: string, workdir: string): Promise<FunctionBundle[]> {
  const supabase = join(root, "supabase");
  const { config, names } = bundledConfig(await readFile(join(supabase, "config.toml"), "utf8"));
  const pinned = await pinnedPackage(join(supabase, "functions", "deno.json"));
  const target = join(workdir, "supabase");
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "config.toml"), config);
  const { metafile } = await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, join(supabase, "functions", name, "index.ts")])),
    entryNames: "[name]/index",
    outdir: join(target, "functions"),
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    // Names stay: errors are told apart by them.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    banner: { js: banner },
    plugins: [pinned],
    metafile: true,
    logLevel: "silent",
  });
  return Object.entries(metafile.outputs).map(([path, { bytes }]) => ({ name: path.split("/").at(-2) ?? path, bytes }));
}

/** The project's settings, where each function is its bundle. */
export function bundledConfig(config: string): { config: string; names: string[] } {
  const names: string[] = [];
  const lines = config.split("\n").map((line) => {
    const name = /^\[functions\.([\w-]+)\]$/.exec(line.trim())?.[1];
    if (name !== undefined) names.push(name);
    const place = names.at(-1);
    return place !== undefined && line.startsWith("import_map") ? `entrypoint = "./functions/${place}/index.js"` : line;
  });
  return { config: lines.join("\n"), names };
}

async function pinnedPackage(importMap: string): Promise<Plugin> {
  const { imports } = JSON.parse(await readFile(importMap, "utf8")) as { imports: Record<string, string> };
  const path = imports[unbundled];
  if (path === undefined) throw new Error(`${unbundled} is not in ${importMap}.`);
  return {
    name: "pinned-package",
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^${unbundled}$`) }, () => ({ path, external: true }));
    },
  };
}
