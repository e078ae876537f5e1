import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** True when this Node can run Switchyard: 20.19+, 22.12+ or 24+. */
function nodeIsSupported() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
}

function npm(args) {
  return spawnSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  }).status;
}

/**
 * Programs that come as one package per platform. A lock file made on one platform may lack the package of another
 * (npm leaves out those that its registry did not have), so the one that fits is looked for and added here.
 */
function missingPlatformPackages() {
  return ["deno", "@tailwindcss/oxide", "oxlint"].flatMap((name) => {
    const manifest = join(root, "node_modules", name, "package.json");
    if (!existsSync(manifest)) return [];
    const { optionalDependencies = {} } = JSON.parse(readFileSync(manifest, "utf8"));
    const fitting = Object.entries(optionalDependencies).filter(
      ([dependency]) => dependency.includes(process.platform) && dependency.includes(process.arch),
    );
    if (fitting.some(([dependency]) => existsSync(join(root, "node_modules", dependency)))) return [];
    return fitting.map(([dependency, version]) => `${dependency}@${version}`);
  });
}

/**
 * Installs the dependencies of the lock file when they are missing or belong to another lock file.
 * Ends the process with a clear word when that fails. Plain Node, since nothing is installed yet.
 */
export function ensureInstalled() {
  if (!nodeIsSupported()) {
    console.error(
      `Switchyard needs Node 20.19+, 22.12+ or 24+; this is ${process.versions.node}.\nInstall a newer Node from https://nodejs.org and try again.`,
    );
    process.exit(1);
  }
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".switchyard-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing dependencies …");
  if (npm(["ci"]) !== 0) {
    console.error("\n`npm ci` failed (see above). Check the network connection and try again.");
    process.exit(1);
  }
  for (const name of missingPlatformPackages()) npm(["install", "--no-save", "--no-package-lock", name]);
  writeFileSync(stamp, lock);
}
