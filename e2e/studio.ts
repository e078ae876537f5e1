import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyTemplate, templateDirectory } from "../supabase/local/testing/template-data.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A running studio with a data directory of its own. */
export interface Studio {
  url: string;
  /** Of the process that `npm start` is; it has started all the others. */
  pid: number;
  dataDir: string;
  /** Everything that the server has printed. */
  output(): string;
  stop(): Promise<void>;
}

function waitForUrl(server: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The studio did not start within 90 s:\n${output()}`)), 90_000);
    const look = (): void => {
      const url = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output())?.[0];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    server.stdout?.on("data", look);
    server.on("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`The studio ended with code ${code}:\n${output()}`));
    });
  });
}

/**
 * Starts the studio as a user would, on a free port: with a data directory of its own in which nothing has been done yet,
 * or on `dataDir` again.
 * `allowHosts` are the private `host:port` addresses that the HTTP tool may reach.
 */
export async function startStudio(options: {
  allowHosts: string[];
  dataDir?: string;
  workers?: number;
  /** Beside this process's own. */
  environment?: Record<string, string>;
}): Promise<Studio> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "switchyard-e2e-"));
  const template = templateDirectory();
  if (options.dataDir === undefined && template !== null) copyTemplate(template, dataDir);
  const workers = options.workers === undefined ? [] : ["--workers", String(options.workers)];
  const args = ["cli/start.mjs", "--port", "0", "--data", dataDir, "--no-open", ...workers];
  const server = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...options.environment, STUDIO_ALLOW_HOSTS: options.allowHosts.join(",") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (printed += String(data)));
  const output = (): string => printed;
  const url = await waitForUrl(server, output).catch((error: unknown) => {
    // What is still starting would slow down all that come after it.
    server.kill("SIGTERM");
    throw error;
  });
  const stop = async (): Promise<void> => {
    if (server.exitCode === null) {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
    }
    if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, pid: server.pid ?? 0, dataDir, output, stop };
}
