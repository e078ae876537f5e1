// Builds the site into dist/ when its sources have changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { LaunchError } from "../cli/launch-options.mjs";
import { tellProgress } from "../cli/progress.mjs";

const sources = [
  "index.html",
  "chat.html",
  "share.html",
  "vite.config.ts",
  "scripts/chat-page.ts",
  "scripts/protect-site.ts",
  "scripts/share-page.ts",
  "scripts/sign-in-shell.ts",
  "scripts/site-layers.ts",
  "package-lock.json",
  "tsconfig.json",
  "examples",
  "public",
  "src",
  "supabase/functions/_shared",
  "supabase/local/http/security-headers.ts",
];

/** The directory of a build that matches the sources. Throws LaunchError when the build fails; the old one stays. */
export function ensureBuilt(projectRoot) {
  const site = join(projectRoot, "dist");
  const stamp = join(site, ".switchyard-build");
  const hash = sourcesHash(projectRoot);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return site;

  const done = tellProgress("Building the site", 20);
  // Built aside and swapped in, so that a failed build or an instance that is running loses nothing.
  const aside = join(projectRoot, "node_modules", ".cache", "switchyard");
  const draft = join(aside, `build-${process.pid}`);
  const old = join(aside, `old-${process.pid}`);
  mkdirSync(aside, { recursive: true });
  const vite = join(projectRoot, "node_modules", "vite", "bin", "vite.js");
  const result = spawnSync(
    process.execPath,
    [vite, "build", "--outDir", draft, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: projectRoot, stdio: "inherit" },
  );
  done();
  if (result.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new LaunchError(
      "The site could not be built; the messages above say why.",
      "Correct the sources and start again.",
    );
  }
  writeFileSync(join(draft, ".switchyard-build"), hash);
  swapIn(draft, site, old);
  rmSync(old, { recursive: true, force: true });
  return site;
}

function swapIn(draft, site, old) {
  try {
    if (existsSync(site)) renameSync(site, old);
    renameSync(draft, site);
  } catch (error) {
    // Another start that built at the same time was first; its build is as good.
    if (!existsSync(join(site, "index.html"))) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The hash of what the site is built from; the files are read only when their sizes or times say that something changed. */
function sourcesHash(projectRoot) {
  const files = sources.flatMap((path) => filesBelow(projectRoot, path)).toSorted();
  const state = createHash("sha256").update(`${projectRoot}\0${settingsText()}`);
  for (const file of files) {
    const { mtimeMs, size } = statSync(join(projectRoot, file));
    state.update(`\0${file}\0${mtimeMs}\0${size}`);
  }
  const noted = join(projectRoot, "node_modules", ".cache", "switchyard", "site-sources.json");
  const key = state.digest("hex");
  try {
    const { key: known, hash } = JSON.parse(readFileSync(noted, "utf8"));
    if (known === key) return hash;
  } catch {
    // Not noted yet.
  }
  const hash = hashSources(projectRoot, files);
  try {
    mkdirSync(dirname(noted), { recursive: true });
    writeFileSync(noted, JSON.stringify({ key, hash }));
  } catch {
    // Where nothing can be kept, the files are read each time.
  }
  return hash;
}

function hashSources(projectRoot, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(projectRoot, file)))
      .update("\0");
  }
  return hash.update(settingsText()).digest("hex");
}

/** The variables that are built into the site. */
function settingsText() {
  return Object.keys(process.env)
    .filter((name) => name.startsWith("VITE_"))
    .toSorted()
    .map((name) => `${name}=${process.env[name]}\0`)
    .join("");
}

const isTest = (name) => /\.test\.tsx?$/.test(name);

function filesBelow(projectRoot, path) {
  const absolute = join(projectRoot, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return isTest(path) ? [] : [path];
  return readdirSync(absolute, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    if (!entry.isFile() || isTest(entry.name)) return [];
    return [`${path}/${relative(absolute, join(entry.parentPath, entry.name)).replaceAll("\\", "/")}`];
  });
}
