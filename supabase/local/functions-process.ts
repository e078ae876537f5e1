import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findDeno } from "./deno-binary.ts";

/** Where the functions answer right now. */
interface FunctionsAddress {
  origin: string;
  token: string;
}

/** The Deno process behind /functions/v1. */
export interface FunctionsProcess {
  /** Resolves when the functions are loaded; rejects when Deno does not start or has crashed too often. */
  address(): Promise<FunctionsAddress>;
  stop(): Promise<void>;
}

const maxRestarts = 5;
const forgetCrashesAfterMs = 5 * 60_000;

// Certificates that an operator has given to Deno or Node are worth as much to the functions.
const passedOn = ["DENO_CERT", "DENO_TLS_CA_STORE", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

/**
 * Starts Deno with the functions of `folder` and restarts it when it crashes, at most five times in five minutes.
 * The functions may reach the network, and read the project's sources and packages, nothing else. Their environment
 * holds what `environment` says and nothing of ours.
 */
export function startFunctions(options: {
  projectRoot: string;
  folder: string;
  cache: string;
  dataRoot: string;
  environment: Record<string, string>;
  log: (line: string) => void;
}): FunctionsProcess {
  const crashes: number[] = [];
  let stopped = false;
  let child: ChildProcess;
  let current = launch();

  function launch(): Promise<FunctionsAddress> {
    const token = randomBytes(24).toString("base64url");
    child = spawn(findDeno(), denoArguments(options), {
      cwd: options.projectRoot,
      env: denoEnvironment(options, token),
      stdio: ["pipe", "pipe", "pipe"],
      // Its own process group: Ctrl-C in the terminal is for us to handle, in order.
      detached: true,
    });
    return listening(child, token, options.log, () => {
      if (stopped) return;
      const now = Date.now();
      crashes.push(now);
      const recent = crashes.filter((time) => now - time < forgetCrashesAfterMs);
      if (recent.length > maxRestarts) return;
      options.log("The edge functions' process ended unexpectedly; it is started again.");
      current = launch();
    });
  }

  return {
    address: () => current,
    async stop() {
      stopped = true;
      const { exitCode, signalCode } = child;
      if (exitCode !== null || signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function listening(
  child: ChildProcess,
  token: string,
  log: (line: string) => void,
  onExit: () => void,
): Promise<FunctionsAddress> {
  const { stdout, stderr } = child;
  const address = new Promise<FunctionsAddress>((resolve, reject) => {
    if (stdout) {
      createInterface({ input: stdout }).on("line", (line) => {
        const port = /^LISTENING (\d+)$/.exec(line)?.[1];
        if (port) resolve({ origin: `http://127.0.0.1:${port}`, token });
        else log(line);
      });
    }
    if (stderr) createInterface({ input: stderr }).on("line", log);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      reject(new Error(`the edge functions' process ended (${signal ?? `exit code ${code}`})`));
      onExit();
    });
  });
  // Nobody may be waiting for it yet.
  address.catch(() => undefined);
  return address;
}

function denoArguments(options: { projectRoot: string; folder: string; dataRoot: string }): string[] {
  const readable = ["supabase", "src", "node_modules", "package.json"].map((name) => join(options.projectRoot, name));
  return [
    "run",
    "--no-prompt",
    "--no-check",
    "--no-lock",
    "--cached-only",
    "--node-modules-dir=manual",
    // request.signal fires when the caller goes away, not also after every answer.
    "--unstable-no-legacy-abort",
    `--config=${join(options.folder, "deno.json")}`,
    "--allow-net",
    // All of an environment that we compose ourselves.
    "--allow-env",
    `--allow-read=${[...readable, options.folder].join(",")}`,
    `--deny-read=${options.dataRoot}`,
    "--v8-flags=--max-old-space-size=256",
    fileURLToPath(new URL("functions-server.ts", import.meta.url)),
    `${pathToFileURL(options.folder).href}/`,
  ];
}

function denoEnvironment(
  options: { cache: string; environment: Record<string, string> },
  token: string,
): Record<string, string> {
  const inherited = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...options.environment,
    DENO_DIR: options.cache,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
    SWITCHYARD_FUNCTIONS_TOKEN: token,
  };
}
