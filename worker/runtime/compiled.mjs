// Loads the project's TypeScript in Node. Each entry is compiled once with all that it imports, packages left out, and kept
// in node_modules/.cache until one of its files changes: a loader that transpiles file by file costs every process half a
// second and 90 MB.
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ownRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Entries that are compiled together with their packages, which halves the time to load them and the memory that their code
 * takes, and the packages that stay outside: they look for files beside themselves, or are loaded by few.
 */
const withPackages = {
  "supabase/local/database/database-process.ts": ["@electric-sql/*", "libpg-query"],
  "supabase/local/stack.ts": ["libpg-query", "nodemailer", "undici", "vite"],
};
/** Written by npm whenever it changes an installed package. */
const installed = "node_modules/.package-lock.json";

const keptForMs = 30 * 24 * 60 * 60 * 1_000;

/**
 * The module of a TypeScript file, named by its path from the project's root. The dependencies must be installed. Where the
 * cache cannot be written, as in a read-only installation, the sources are loaded one by one.
 */
export async function importCompiled(entry, projectRoot = ownRoot) {
  const compiled = findCompiled(entry, projectRoot) ?? (await compile(entry, projectRoot).catch(unlessUnwritable));
  if (compiled) return import(pathToFileURL(compiled).href);
  const { register } = await import("tsx/esm/api");
  register();
  return import(pathToFileURL(join(projectRoot, entry)).href);
}

function unlessUnwritable(error) {
  if (["EACCES", "EDQUOT", "EEXIST", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"].includes(error?.code)) return undefined;
  throw error;
}

const nameOf = (entry) => entry.replace(/\.ts$/, "").replaceAll("/", "-");
const homeOf = (projectRoot) => join(projectRoot, "node_modules", ".cache", "switchyard", "compiled");

/** The compiled entry if nothing has changed that went into it. */
function findCompiled(entry, projectRoot) {
  const home = homeOf(projectRoot);
  try {
    const { root, folder, inputs } = JSON.parse(readFileSync(join(home, `${nameOf(entry)}.json`), "utf8"));
    // The places of files are written into the code, so a project that was moved is compiled anew.
    if (root !== projectRoot) return undefined;
    for (const [path, mark] of Object.entries(inputs)) {
      if (markOf(join(projectRoot, path)) !== mark) return undefined;
    }
    const file = join(home, folder, "entry.mjs");
    statSync(file);
    return file;
  } catch {
    return undefined;
  }
}

function markOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size}` : "absent";
}

/** Compiles an entry; resolves to its file. Throws what esbuild says of sources that do not compile. */
export async function compile(entry, projectRoot = ownRoot) {
  const { build, stop } = await import("esbuild");
  const home = homeOf(projectRoot);
  const folder = `${nameOf(entry)}-${randomUUID()}`;
  const outdir = join(home, folder);
  mkdirSync(outdir, { recursive: true });
  const outside = withPackages[entry];
  const marks = outside ? { [installed]: markOf(join(projectRoot, installed)) } : {};
  await build({
    absWorkingDir: projectRoot,
    entryPoints: { entry },
    outdir,
    bundle: true,
    ...(outside ? { external: outside, banner: { js: requireForPackages } } : { packages: "external" }),
    // What is imported when it is needed stays in files of its own.
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node20.19",
    keepNames: true,
    sourcemap: !outside,
    // The source of what runs stays in memory, with two bytes for each character if a single comment needs them.
    ...(outside ? { minifyWhitespace: true, lineLimit: 160, legalComments: "none" } : {}),
    logLevel: "silent",
    plugins: [keepPlaces(projectRoot, marks)],
  }).finally(stop);
  const index = { root: projectRoot, folder, inputs: marks };
  const draft = join(outdir, "index.json");
  writeFileSync(draft, JSON.stringify(index));
  renameSync(draft, join(home, `${nameOf(entry)}.json`));
  removeOld(home, folder);
  return join(outdir, "entry.mjs");
}

/** Packages written for CommonJS ask for Node's modules by `require`, which a module of its own has not. */
const requireForPackages = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** Each module keeps the address of its source, by which it finds what lies beside it; notes the state of each source. */
const keepPlaces = (projectRoot, marks) => ({
  name: "keep-places",
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs|json)$/ }, ({ path }) => {
      if (path.includes("/node_modules/") || path.includes("\\node_modules\\")) return undefined;
      const name = relative(projectRoot, path).replaceAll("\\", "/");
      // Before it is read: what changes meanwhile is compiled again.
      marks[name] = markOf(path);
      const source = readFileSync(path, "utf8");
      if (path.endsWith(".json")) return { loader: "json", contents: source };
      const contents = source.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { loader: path.endsWith(".ts") ? "ts" : "js", contents };
    });
  },
});

/** A process that runs may still load parts of an older state, so that it is kept for a while. */
function removeOld(home, current) {
  const prefix = current.slice(0, -randomUUID().length);
  for (const name of readdirSync(home)) {
    const isOlder = name.startsWith(prefix) && name.length === current.length && name !== current;
    if (!isOlder || Date.now() - statSync(join(home, name)).mtimeMs < keptForMs) continue;
    rmSync(join(home, name), { recursive: true, force: true });
  }
}
