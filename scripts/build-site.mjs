// Builds the site into dist/ when its sources have changed since the last build.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "./launch-options.mjs";
import { tellProgress } from "./progress.mjs";

const sources = [
  "index.html",
  "chat.html",
  "vite.config.ts",
  "scripts/chat-page.ts",
  "scripts/protect-site.ts",
  "scripts/sign-in-shell.ts",
  "package-lock.json",
  "tsconfig.json",
  "public",
  "src",
  "supabase/functions/_shared",
  "supabase/local/security-headers.ts",
];

/** The directory of a build that matches the sources. Throws LaunchError when the build fails; the old one stays. */
export function ensureBuilt(projectRoot) {
  const site = join(projectRoot, "dist");
  const stamp = join(site, ".switchyard-build");
  const hash = hashSources(projectRoot);
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

function hashSources(projectRoot) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((path) => filesBelow(projectRoot, path)).toSorted()) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(projectRoot, file)))
      .update("\0");
  }
  for (const name of Object.keys(process.env)
    .filter((key) => key.startsWith("VITE_"))
    .toSorted()) {
    hash.update(`${name}=${process.env[name]}\0`);
  }
  return hash.digest("hex");
}

function filesBelow(projectRoot, path) {
  const absolute = join(projectRoot, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(absolute).flatMap((name) => filesBelow(projectRoot, `${path}/${name}`));
}
