import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { findPostgresServer } from "../../../../scripts/services.mjs";
import { onFreePort, untilReady } from "./server-process.ts";

export interface PostgresServer {
  port: number;
  /** Of the superuser `admin`, to the database `postgres`; another role takes its place in `urlOf`. */
  url: string;
  urlOf(user: string, password: string): string;
  /** As the superuser; several statements at once are fine. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Stops it, as its operator does who does not wait for clients, and starts it again on the same port once `task` is done. */
  restart(task: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

interface PostgresServerOptions {
  /** `C` unless given, which knows no letters beyond ASCII. */
  locale?: string;
  /** Serves TLS, with this key and certificate as PEM; connections without it are refused. */
  tls?: { key: string; cert: string };
  /** Run once when it is up. */
  setup?: string;
}

const adminPassword = "test-key-postgres-admin-0123456789";

/** The server refuses to run as root; there it runs as the user whom every system has for having no rights. */
const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A real PostgreSQL on loopback with an empty database, as Debian or the system's own package brings it. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = findPostgresServer();
  const directory = await mkdtemp(join(tmpdir(), "switchyard-postgres-"));
  await giveAway(directory, 0o700);
  const passwordFile = await write(directory, "password", adminPassword);
  const data = join(directory, "data");
  const initdb = spawn(
    join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      "admin",
      `--pwfile=${passwordFile}`,
      "-A",
      "scram-sha-256",
      "-E",
      "UTF8",
      `--locale=${options.locale ?? "C"}`,
      "-N",
    ],
    { ...asUser, cwd: directory, stdio: ["ignore", "pipe", "pipe"] },
  );
  await succeeded(initdb, "initdb");

  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"];
  settings.push("max_connections=40", "shared_buffers=16MB");
  if (options.tls) {
    settings.push("ssl=on", `ssl_cert_file=${await write(directory, "cert.pem", options.tls.cert)}`);
    settings.push(`ssl_key_file=${await write(directory, "key.pem", options.tls.key)}`);
    await write(directory, join("data", "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
  }
  const startOn = async (free: number): Promise<ChildProcess> => {
    const all = [`port=${free}`, ...settings].flatMap((setting) => ["-c", setting]);
    const child = spawn(join(programs, "postgres"), ["-D", data, ...all], {
      ...asUser,
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
    });
    await untilReady(child, "postgres", "ready to accept connections");
    return child;
  };
  const first = await onFreePort(async (free) => ({ port: free, server: await startOn(free) }));
  const { port } = first;
  let { server } = first;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  const stop = async (): Promise<void> => {
    // Ends its own children at once, which the harder signal would leave behind.
    await end("SIGQUIT");
    await rm(directory, { recursive: true, force: true });
  };
  const restart: PostgresServer["restart"] = async (task) => {
    await end("SIGINT");
    await task();
    server = await startOn(port);
  };
  const urlOf = (user: string, password: string): string =>
    `postgresql://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const url = urlOf("admin", adminPassword);
  const ssl = options.tls ? { ca: options.tls.cert, checkServerIdentity: () => undefined } : false;
  const run: PostgresServer["run"] = async (sql) => {
    const client = postgres(url, { max: 1, ssl, onnotice: () => undefined });
    try {
      return await client.unsafe(sql);
    } finally {
      await client.end({ timeout: 5 });
    }
  };
  try {
    if (options.setup !== undefined) await run(options.setup);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, url, urlOf, run, restart, stop };
}

async function succeeded(child: ChildProcess, name: string): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (output += data.toString()));
  const [code]: unknown[] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${output}`);
}

async function write(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  await giveAway(path, 0o600);
  return path;
}

/** Lets the server's user, and nobody else, at a file. */
async function giveAway(path: string, mode: number): Promise<void> {
  await chmod(path, mode);
  if (asUser.uid !== undefined) await chown(path, asUser.uid, asUser.gid);
}
