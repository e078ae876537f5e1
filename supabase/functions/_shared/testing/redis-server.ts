import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRedisServer } from "../../../../scripts/services.mjs";

export type RedisServer = {
  port: number;
  /** Kills it at once, as a crash would. Safe to call twice. */
  stop(): Promise<void>;
};

export type RedisServerOptions = {
  /** Of the default user. */
  password?: string;
  /** Serves TLS alone, with this key and certificate as PEM. */
  tls?: { key: string; cert: string };
  /** Further directives, such as `maxmemory 1mb`. */
  directives?: readonly string[];
  /** Default: a free one. */
  port?: number;
};

/** A real Redis on loopback, without persistence. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "switchyard-redis-"));
  const port = options.port ?? (await freePort());
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
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const read = (data: Buffer): void => {
      output += data.toString();
      if (output.includes("Ready to accept connections")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}:\n${output}`)));
  });
  return { port, stop };
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
