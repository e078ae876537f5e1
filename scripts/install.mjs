// Installs the dependencies when they are missing or do not match package-lock.json.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "./launch-options.mjs";

/** Runs `npm ci` if needed. Throws LaunchError when that fails. */
export function ensureInstalled(projectRoot) {
  const lock = readFileSync(join(projectRoot, "package-lock.json"), "utf8");
  const stamp = join(projectRoot, "node_modules", ".cache", "switchyard", "lock-hash");
  const hash = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash && matchesLock(projectRoot, lock)) return;
  if (!matchesLock(projectRoot, lock)) {
    console.log("Installing dependencies…");
    const npm = process.env.npm_execpath;
    const result = npm?.endsWith(".js")
      ? spawnSync(process.execPath, [npm, "ci"], { cwd: projectRoot, stdio: "inherit" })
      : spawnSync("npm", ["ci"], { cwd: projectRoot, stdio: "inherit", shell: process.platform === "win32" });
    if (result.status !== 0) {
      throw new LaunchError(
        "The dependencies could not be installed; npm says why above.",
        "Check the internet connection and the free disk space, then start again.",
      );
    }
  }
  mkdirSync(join(stamp, ".."), { recursive: true });
  writeFileSync(stamp, hash);
}

/** npm keeps what it has installed in node_modules/.package-lock.json; every required package must be there. */
function matchesLock(projectRoot, lock) {
  try {
    const installed = JSON.parse(
      readFileSync(join(projectRoot, "node_modules", ".package-lock.json"), "utf8"),
    ).packages;
    return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
      if (path === "" || wanted.dev || wanted.optional || wanted.devOptional || wanted.peer) return true;
      return installed[path]?.version === wanted.version && existsSync(join(projectRoot, path));
    });
  } catch {
    return false;
  }
}
