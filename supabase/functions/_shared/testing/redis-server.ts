import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRedisServer } from "../../../../scripts/services.mjs";
import { onFreePort, untilReady } from "./server-process.ts";

export interface RedisServer {
  port: number;
  /** Kills it at once, as a crash would. Safe to call twice. */
  stop(): Promise<void>;
}

interface RedisServerOptions {
  /** Of the default user. */
  password?: string;
  /** Serves TLS alone, with this key and certificate as PEM. */
  tls?: { key: string; cert: string };
  /** Further directives, such as `maxmemory 1mb`. */
  directives?: readonly string[];
  /** Default: a free one. */
  port?: number;
}

/** A real Redis on loopback, without persistence. */
export function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  return options.port === undefined ? onFreePort((port) => startOn(port, options)) : startOn(options.port, options);
}

async function startOn(port: number, options: RedisServerOptions): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-redis-"));
  const lines = ["bind 127.0.0.1", `dir ${directory}`, 'save ""', "appendonly no", "databases 4"];
  lines.push(...(options.directives ?? []));
  if (options.password !== undefined) lines.push(`requirepass ${options.password}`);
  if (options.tls) {
    const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
    await writeFile(cert, options.tls.cert);
    await writeFile(key, options.tls.key, { mode: 0o600 });
    lines.push("port 0", `tls-port ${port}`, `tls-cert-file ${cert}`, `tls-key-file ${key}`, "tls-auth-clients no");
  } else lines.push(`port ${port}`);
  const config = join(directory, "redis.conf");
  await writeFile(config, `${lines.join("\n")}\n`);

  const child = spawn(findRedisServer(), [config], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(child, "redis-server", "Ready to accept connections");
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}
