import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { ServerAddress } from "../database/postgres/server-address.ts";
import { StartError } from "../start-error.ts";

type Program = "pg_dump" | "pg_restore";

/** Where Debian and Homebrew keep each version's programs, which need not be on the PATH. */
const homes = ["/usr/lib/postgresql", "/usr/local/opt", "/opt/homebrew/opt"];

/**
 * A program of PostgreSQL that is as new as the server, or newer. Throws StartError that says what to install where there is none:
 * an older one refuses the server.
 */
export async function findProgram(
  name: Program,
  serverVersion: number,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  let newest = 0;
  for (const path of placesOf(name, environment)) {
    const version = await versionOf(path);
    if (version >= serverVersion) return path;
    newest = Math.max(newest, version);
  }
  const install = `Install the client programs of PostgreSQL ${serverVersion} (on Debian and Ubuntu the package postgresql-client-${serverVersion}), or put them on the PATH.`;
  throw newest === 0
    ? new StartError(`${name} is not installed here, which backups of a PostgreSQL server need.`, install)
    : new StartError(`${name} ${newest} is older than the server, which runs PostgreSQL ${serverVersion}.`, install);
}

function placesOf(name: Program, environment: Readonly<Record<string, string | undefined>>): string[] {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const chosen = environment["POSTGRES_BIN_PATH"];
  const onPath = (environment["PATH"] ?? "").split(delimiter).filter(Boolean);
  const beside = chosen === undefined ? homes.flatMap((home) => versionsIn(home)) : [];
  return [...(chosen === undefined ? onPath : [chosen]), ...beside]
    .map((folder) => join(folder, file))
    .filter((path) => existsSync(path));
}

function versionsIn(home: string): string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .filter((name) => /^(postgresql(@\d+)?|libpq|\d+)$/.test(name))
    .toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))
    .map((name) => join(home, name, "bin"));
}

async function versionOf(path: string): Promise<number> {
  const said = await run(path, ["--version"], process.env).catch(() => "");
  return Number(/(\d+)(?:\.|devel|beta|rc|\s|$)/.exec(said)?.[1] ?? 0);
}

/** Runs a program against a database. Its password stands in no list of processes. Throws StartError with what it said. */
export async function runProgram(path: string, args: readonly string[], { url }: ServerAddress): Promise<void> {
  await run(path, args, { ...process.env, ...connectionVariables(url) });
}

/** libpq's variables for an address. */
export function connectionVariables(address: string): Record<string, string> {
  const url = new URL(address);
  const given: Record<string, string> = {
    PGHOST: url.hostname.replace(/^\[|\]$/g, "") || "localhost",
    PGPORT: url.port || "5432",
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    PGSSLMODE: url.searchParams.get("sslmode") ?? "",
    PGSSLROOTCERT: url.searchParams.get("sslrootcert") ?? process.env["NODE_EXTRA_CA_CERTS"] ?? "",
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

function run(path: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data: Buffer) => (said = (said + data.toString()).slice(-4_000)));
    }
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) return resolve(said);
      const [line = `exit code ${code}`] = said.split("\n").filter((text) => /error|fatal/i.test(text));
      reject(new StartError(`${path} failed: ${line.trim()}`, "Nothing was kept. Correct that, and try again."));
    });
  });
}
