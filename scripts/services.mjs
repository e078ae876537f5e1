import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

const program = (name) => (process.platform === "win32" ? `${name}.exe` : name);
const usualFolders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

function pathFolders() {
  return [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...usualFolders];
}

function attempt(command, args) {
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(command, args, { stdio: "ignore", timeout: 300_000, env: environment }).status === 0;
}

/** As root on Debian, installs a package. Elsewhere it does nothing. */
function installPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.error(`Installing ${name} for the tests …`);
  const install = ["install", "-y", "-qq", "--no-install-recommends", name];
  if (attempt("apt-get", install)) return;
  attempt("apt-get", ["update", "-qq"]);
  attempt("apt-get", install);
}

function installedRedis() {
  const chosen = process.env.REDIS_SERVER_PATH;
  if (chosen) return existsSync(chosen) ? chosen : undefined;
  return pathFolders()
    .map((folder) => join(folder, program("redis-server")))
    .find((path) => existsSync(path));
}

/**
 * The path of a Redis server for the tests: REDIS_SERVER_PATH, else one of the system, else, as root on Debian, its
 * package is installed. Throws with what to do.
 */
export function findRedisServer() {
  const found = installedRedis();
  if (found) return found;
  installPackage("redis-server");
  const path = installedRedis();
  if (path) return path;
  throw new Error(
    "No Redis server found. Install redis-server, or set REDIS_SERVER_PATH to its program, and run again.",
  );
}

/** Folders with one folder per version of PostgreSQL, whose programs are in `bin`. */
const postgresHomes = ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt", "C:\\Program Files\\PostgreSQL"];

function installedPostgres() {
  const chosen = process.env.POSTGRES_BIN_PATH;
  const isComplete = (folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, program(name))));
  if (chosen) return isComplete(chosen) ? chosen : undefined;
  const versions = postgresHomes.flatMap((home) => {
    if (!existsSync(home)) return [];
    const newestFirst = readdirSync(home)
      .filter((name) => /^(postgresql(@\d+)?|\d+)$/.test(name))
      .toSorted((a, b) => Number(b.replace(/\D/g, "")) - Number(a.replace(/\D/g, "")));
    return newestFirst.map((name) => join(home, name, "bin"));
  });
  return [...versions, ...pathFolders()].find(isComplete);
}

/**
 * The folder of a PostgreSQL server's programs (initdb, postgres) for the tests: POSTGRES_BIN_PATH, else one of the system,
 * else, as root on Debian, its package is installed. Throws with what to do.
 */
export function findPostgresServer() {
  const found = installedPostgres();
  if (found) return found;
  installPackage("postgresql");
  const path = installedPostgres();
  if (path) return path;
  throw new Error(
    "No PostgreSQL server found. Install postgresql, or set POSTGRES_BIN_PATH to the folder of initdb and postgres, and run again.",
  );
}
