import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { denoArguments, denoEnvironment, type FunctionPlaces } from "./deno-command.ts";
import { errorText } from "../start-error.ts";

/** Where a function answers right now. */
export interface FunctionAddress {
  origin: string;
  token: string;
}

/** What a function's process is doing. `waiting`: it has ended and starts again after a pause. */
export type FunctionState = "idle" | "starting" | "running" | "waiting";

/** The state of a function, for people and for the studio. */
export interface FunctionStatus {
  name: string;
  state: FunctionState;
  /** How often the process has ended without being asked to. */
  restarts: number;
  /** Seconds until it starts again, while it waits. */
  retryAfter?: number;
}

/** A function that does not run at the moment. */
export class FunctionDown extends Error {
  override readonly name = "FunctionDown";
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** One function in a process of its own. */
export interface FunctionProcess {
  /** Starts the process if it does not run. The call is open until `end`. */
  begin(): FunctionCall;
  status(): FunctionStatus;
  stop(): Promise<void>;
}

/** A call of a function. `address` rejects with FunctionDown. */
interface FunctionCall {
  address: Promise<FunctionAddress>;
  end(): void;
}

export interface ProcessLimits {
  /** Without a call for this long, the process ends until it is needed again. Infinity keeps it. */
  idleMs: number;
  /** How long a process may take until it listens. */
  startMs: number;
  /** A running process is asked this often whether it responds, as long as a call is open. */
  probeMs: number;
  /** So many questions without an answer, and it is killed. */
  missedProbes: number;
  /** Pauses before a process that has ended starts again; the last one repeats. */
  pausesMs: readonly number[];
  /** One that has run for this long begins with the first pause again. */
  settledMs: number;
}

export const processLimits: ProcessLimits = {
  idleMs: 5 * 60_000,
  startMs: 30_000,
  probeMs: 1_000,
  missedProbes: 8,
  pausesMs: [0, 250, 500, 1_000, 2_000, 4_000],
  settledMs: 60_000,
};

type Phase =
  | { state: "idle" }
  | { state: "starting" | "running"; running: Running }
  | { state: "waiting"; until: number; timer: NodeJS.Timeout };

interface Running {
  child: ChildProcess;
  startedAt: number;
  address: Promise<FunctionAddress>;
  probe(): void;
  /** Why we ended it, if we did. */
  endedFor?: string;
}

/**
 * Runs the function `name` in a Deno process of its own: started at its first call, started again for ever when it ends,
 * with growing pauses, killed when it does not respond any more, and ended when nobody has called it for a while.
 */
export function superviseFunction(
  name: string,
  deno: string,
  places: FunctionPlaces & { log: (line: string) => void },
  limits: ProcessLimits = processLimits,
): FunctionProcess {
  let phase: Phase = { state: "idle" };
  let stopped = false;
  let open = 0;
  let restarts = 0;
  let inARow = 0;
  let idleTimer: NodeJS.Timeout | undefined;

  function launch(): Running {
    const token = randomBytes(24).toString("base64url");
    const child = spawn(deno, denoArguments(name, places), {
      cwd: places.projectRoot,
      env: denoEnvironment(places, token),
      stdio: ["pipe", "pipe", "pipe"],
      // Its own process group: Ctrl-C in the terminal is for us to handle, in order.
      detached: true,
    });
    const kill = (why: string): void => {
      running.endedFor ??= why;
      child.kill("SIGKILL");
    };
    const late = setTimeout(() => kill("it did not start in time"), limits.startMs);
    const probes = probing(
      child,
      limits,
      () => open > 0,
      () => kill("it did not respond"),
    );
    const address = new Promise<FunctionAddress>((resolve, reject) => {
      const onLine = (line: string): void => {
        const port = /^LISTENING (\d+)$/.exec(line)?.[1];
        if (port) {
          clearTimeout(late);
          if (phase.state === "starting" && phase.running === running) phase = { state: "running", running };
          resolve({ origin: `http://127.0.0.1:${port}`, token });
          probes.ask();
        } else if (line === "PONG") probes.answered();
        else places.log(line);
      };
      if (child.stdout) createInterface({ input: child.stdout }).on("line", onLine);
      if (child.stderr) createInterface({ input: child.stderr }).on("line", places.log);
      child.stdin?.on("error", () => undefined);
      let over = false;
      const ended = (how: string): void => {
        if (over) return;
        over = true;
        clearTimeout(late);
        probes.stop();
        const retryAfter = afterEnd(running, how);
        reject(new FunctionDown(`The edge function ${name} stopped while it was starting.`, retryAfter));
      };
      child.once("error", (error) => ended(errorText(error)));
      child.once("exit", (code, signal) => ended(signal ?? `exit code ${code}`));
    });
    // Nobody may be waiting for it.
    address.catch(() => undefined);
    const running: Running = { child, startedAt: Date.now(), address, probe: probes.ask };
    phase = { state: "starting", running };
    return running;
  }

  /** Seconds until the next start. */
  function afterEnd(running: Running, how: string): number {
    if (stopped || phase.state === "idle" || phase.state === "waiting" || phase.running !== running) return 1;
    if (Date.now() - running.startedAt > limits.settledMs) inARow = 0;
    const pause = limits.pausesMs[Math.min(inARow, limits.pausesMs.length - 1)] ?? 0;
    inARow += 1;
    restarts += 1;
    const when = pause === 0 ? "now" : `in ${pause / 1_000} s`;
    places.log(`The edge function ${name} has stopped (${running.endedFor ?? how}); it starts again ${when}.`);
    const timer = setTimeout(() => launch(), pause);
    phase = { state: "waiting", until: Date.now() + pause, timer };
    return Math.max(1, Math.ceil(pause / 1_000));
  }

  function current(): Promise<FunctionAddress> {
    switch (phase.state) {
      case "idle":
        return stopped ? Promise.reject(new FunctionDown("The edge functions have stopped.", 5)) : launch().address;
      case "waiting": {
        const left = Math.max(1, Math.ceil((phase.until - Date.now()) / 1_000));
        return Promise.reject(
          new FunctionDown(`The edge function ${name} has stopped and is about to start again.`, left),
        );
      }
      case "starting":
      case "running":
        phase.running.probe();
        return phase.running.address;
      default:
        return phase satisfies never;
    }
  }

  /** Nobody is served now, so nothing is cut off. */
  function rest(): void {
    if (open > 0 || phase.state === "idle" || phase.state === "waiting") return;
    const { child } = phase.running;
    phase = { state: "idle" };
    child.kill("SIGKILL");
  }

  return {
    begin() {
      clearTimeout(idleTimer);
      open += 1;
      let isOpen = true;
      return {
        address: current(),
        end() {
          if (!isOpen) return;
          isOpen = false;
          open -= 1;
          if (open === 0 && limits.idleMs !== Infinity) idleTimer = setTimeout(rest, limits.idleMs).unref();
        },
      };
    },
    status() {
      const left = phase.state === "waiting" ? Math.max(0, Math.ceil((phase.until - Date.now()) / 1_000)) : undefined;
      return { name, state: phase.state, restarts, ...(left === undefined ? {} : { retryAfter: left }) };
    },
    async stop() {
      stopped = true;
      clearTimeout(idleTimer);
      const last = phase;
      phase = { state: "idle" };
      if (last.state === "waiting") clearTimeout(last.timer);
      if (last.state !== "starting" && last.state !== "running") return;
      const { child } = last.running;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Asks a process whether its event loop still turns, while calls are open. Unanswered rounds count rather than time, so that
 * a machine that slept, or a stack that was busy itself, kills nothing.
 */
function probing(child: ChildProcess, limits: ProcessLimits, isBusy: () => boolean, onDead: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let missed = 0;
  let asked = false;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const send = (): void => {
    asked = true;
    child.stdin?.write("PING\n");
  };
  const round = (): void => {
    if (asked) missed += 1;
    else if (isBusy()) send();
    else stop();
    if (missed < limits.missedProbes) return;
    stop();
    onDead();
  };
  return {
    ask(): void {
      timer ??= setInterval(round, limits.probeMs).unref();
    },
    answered(): void {
      asked = false;
      missed = 0;
    },
    stop,
  };
}
