import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** An embedded stack in a process of its own. */
export interface StackProcess {
  url: string;
  /** The publishable key. */
  key: string;
  pid: number;
  /** Resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

const program = fileURLToPath(new URL("../../supabase/local/testing/stack-child.mjs", import.meta.url));

/** Starts a stack on `dataDir`; with functions where hosts are named that they may reach; on a server's database where one is named. */
export async function startStackProcess(
  dataDir: string,
  allowHosts?: string,
  databaseUrl?: string,
): Promise<StackProcess> {
  const args = [dataDir, allowHosts, databaseUrl].filter((argument) => argument !== undefined);
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const address = await new Promise<{ url: string; key: string }>((resolve, reject) => {
    lines.on("line", (line) => {
      const [, url, key] = /^URL (\S+) (\S+)$/.exec(line) ?? [];
      if (url && key) resolve({ url, key });
    });
    void ended.then(() => reject(new Error("The stack ended before it was ready.")));
  });
  return {
    ...address,
    pid: child.pid ?? 0,
    async kill(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
