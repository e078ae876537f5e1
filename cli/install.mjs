// Installs the dependencies when they are missing or do not match package-lock.json.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "./launch-options.mjs";
import { tellProgress } from "./progress.mjs";

/**
 * Runs `npm ci` (or, with an incomplete lock file, `npm install`) if needed. Throws LaunchError when that fails.
 * `dev` asks for what the tests need as well. All that is said goes to stderr: stdout may be somebody's result.
 */
export function ensureInstalled(projectRoot, { dev = false } = {}) {
  const lock = readFileSync(join(projectRoot, "package-lock.json"), "utf8");
  const stamp = join(projectRoot, "node_modules", ".cache", "switchyard", "lock-hash");
  const hash = createHash("sha256").update(lock).digest("hex");
  const isComplete = matchesLock(projectRoot, lock, dev);
  if (isComplete && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  if (!isComplete) {
    const done = tellProgress("Installing dependencies", 45);
    // What only developers need is left out, and left in where it is.
    const without = dev || hasDevelopmentPackages(projectRoot) ? [] : ["--omit=dev"];
    let result = runNpm(projectRoot, ["ci", ...without]);
    // `npm ci` refuses a lock file that lacks the builds of a package for other platforms. Only then, and not when the
    // network or the disk fails: `npm install` keeps every version and hash that the lock does have; --no-save leaves
    // the file as it is.
    done();
    if (result.status !== 0 && /code EUSAGE/.test(result.stderr)) {
      console.error(
        "package-lock.json is incomplete or out of step, so `npm ci` refuses it; installing the locked versions with `npm install`.",
      );
      result = runNpm(projectRoot, ["install", "--no-save", ...without]);
    }
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

/** Runs the npm that runs us, where there is one. What it says on stderr is returned, and shown. */
function runNpm(projectRoot, command) {
  const npm = process.env.npm_execpath;
  // Named, since `npm test --silent` would silence this npm as well, and its errors are read below.
  // No package needs its install script: programs are taken from their platform's own package. So none of them runs any.
  const args = [...command, "--ignore-scripts", "--loglevel=error"];
  const options = { cwd: projectRoot, stdio: ["inherit", 2, "pipe"], encoding: "utf8" };
  const result = npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  const stderr = result.stderr ?? "";
  // npm's page of usage says nothing that the caller does not say in one line.
  if (!/code EUSAGE/.test(stderr)) process.stderr.write(stderr);
  return { status: result.status, stderr };
}

/** npm keeps what it has installed in node_modules/.package-lock.json. */
function installedPackages(projectRoot) {
  return JSON.parse(readFileSync(join(projectRoot, "node_modules", ".package-lock.json"), "utf8")).packages;
}

function hasDevelopmentPackages(projectRoot) {
  try {
    return Object.values(installedPackages(projectRoot)).some(({ dev }) => dev);
  } catch {
    return false;
  }
}

/** Whether every required package is there. */
function matchesLock(projectRoot, lock, dev) {
  try {
    const installed = installedPackages(projectRoot);
    return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
      if (path === "" || (wanted.dev && !dev) || wanted.optional || wanted.devOptional || wanted.peer) return true;
      return installed[path]?.version === wanted.version && existsSync(join(projectRoot, path));
    });
  } catch {
    return false;
  }
}
