import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";

/** Resolves once the process of a server has printed `words`; rejects with all that it printed when it ends before. */
export function untilReady(child: ChildProcess, name: string, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        output += data.toString();
        if (output.includes(words)) resolve();
      });
    }
    child.once("error", reject);
    // Not "exit": what it printed last, such as why it ended, may come after that.
    child.once("close", (code) => reject(new Error(`${name} ended with ${code}:\n${output}`)));
  });
}

/** Starts a server on a port that was free a moment ago; when another program was faster, once more on another one. */
export async function onFreePort<Server>(start: (port: number) => Promise<Server>): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !String(error).includes("Address already in use")) throw error;
    }
  }
}

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
