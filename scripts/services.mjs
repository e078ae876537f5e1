import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const name = process.platform === "win32" ? "redis-server.exe" : "redis-server";
const usualFolders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

function installed() {
  const chosen = process.env.REDIS_SERVER_PATH;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...usualFolders];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function attempt(command, args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: "ignore", timeout: 300_000, env: environment }).status === 0;
}

/**
 * The path of a Redis server for the tests: REDIS_SERVER_PATH, else one of the system, else, as root on Debian, its
 * package is installed. Throws with what to do.
 */
export function findRedisServer() {
  const found = installed();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("Installing redis-server for the tests …");
    const install = ["install", "-y", "-qq", "--no-install-recommends", "redis-server"];
    if (!attempt("apt-get", install)) {
      attempt("apt-get", ["update", "-qq"]);
      attempt("apt-get", install);
    }
  }
  const path = installed();
  if (path) return path;
  throw new Error(
    "No Redis server found. Install redis-server, or set REDIS_SERVER_PATH to its program, and run again.",
  );
}
