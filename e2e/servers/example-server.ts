import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { startLoopbackServer } from "./loopback-server.ts";

/** One of the public example servers of MCP Apps, from its package, on a free port. */
export interface ExampleServer {
  url: string;
  host: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<string> {
  const probe = await startLoopbackServer((_request, response) => void response.end());
  await probe.close();
  return new URL(probe.url).port;
}

export async function startExampleServer(name: string): Promise<ExampleServer> {
  const port = await freePort();
  const entry = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}`);
  const child = spawn(process.execPath, [join(dirname(entry), "index.js")], {
    env: { PATH: process.env.PATH, PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise<void>((resolve, reject) => {
    const look = (data: Buffer) => void (data.toString("utf8").includes("listening") && resolve());
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", (code) => reject(new Error(`The server ${name} ended with code ${code}.`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
