import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A worker of its own that is started again whenever its process ends, as a container is. */
export interface KeptWorker {
  /** Of the process that runs now. */
  readonly pid: number;
  /** How the processes that were not asked to stop have ended. */
  readonly endings: readonly string[];
  stop(): Promise<void>;
}

const processFile = fileURLToPath(new URL("../../worker/start-worker.mjs", import.meta.url));
const memoryFile = fileURLToPath(new URL("run-out-of-memory.mjs", import.meta.url));
/** Megabytes. A worker that is busy needs about half of it. */
const heapLimit = 256;
/** Milliseconds before the next start, as `restart: unless-stopped` waits at first. */
const pauseMs = 100;

/** Resolves once it is ready. */
export async function startKeptWorker(environment: Record<string, string>): Promise<KeptWorker> {
  const endings: string[] = [];
  let isStopping = false;
  let child: ChildProcess;

  function launch(): ChildProcess {
    const { PATH, HOME } = process.env;
    const started = spawn(
      process.execPath,
      [`--max-old-space-size=${heapLimit}`, "--import", memoryFile, processFile],
      {
        env: { PATH, HOME, ...environment },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    started.once("exit", (code, signal) => {
      if (isStopping) return;
      endings.push(signal ?? `exit code ${code}`);
      setTimeout(() => {
        if (isStopping) return;
        child = launch();
        child.stdout?.resume();
      }, pauseMs);
    });
    return started;
  }

  child = launch();
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) if (line === "The worker is ready.") break;
    child.stdout.resume();
  }
  return {
    get pid() {
      if (child.pid === undefined) throw new Error("The worker's process does not run.");
      return child.pid;
    },
    endings,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
