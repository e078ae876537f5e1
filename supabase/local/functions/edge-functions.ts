import { readdirSync } from "node:fs";
import { findDeno } from "./deno-binary.ts";
import type { FunctionPlaces } from "./deno-command.ts";
import {
  type FunctionProcess,
  type FunctionStatus,
  processLimits,
  type ProcessLimits,
  superviseFunction,
} from "./function-process.ts";

/** The edge functions behind /functions/v1, each in a process of its own, so that none takes another with it. */
export interface EdgeFunctions {
  /** The process of a function; undefined when there is no function of that name. */
  find(name: string): FunctionProcess | undefined;
  statuses(): FunctionStatus[];
  stop(): Promise<void>;
}

/**
 * Supervises the functions of a folder. They start when they are called; those in `keepWarm` start now and stay, since a
 * person waits for them most. Throws StartError when Deno is not installed.
 */
export function startFunctions(
  options: FunctionPlaces & {
    log: (line: string) => void;
    keepWarm?: readonly string[];
    limits?: Partial<ProcessLimits>;
  },
): EdgeFunctions {
  const deno = findDeno();
  const limits = { ...processLimits, ...options.limits };
  const warm = new Set(options.keepWarm);
  const processes = new Map<string, FunctionProcess>();
  for (const name of functionNames(options.folder)) {
    const own = warm.has(name) ? { ...limits, idleMs: Infinity } : limits;
    processes.set(name, superviseFunction(name, deno, options, own));
  }
  for (const name of warm) {
    const first = processes.get(name)?.begin();
    first?.address.catch(() => undefined);
    first?.end();
  }
  return {
    find: (name) => processes.get(name),
    statuses: () => [...processes.values()].map((one) => one.status()),
    async stop() {
      await Promise.all([...processes.values()].map((one) => one.stop()));
    },
  };
}

function functionNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[_.]/.test(entry.name))
    .map((entry) => entry.name);
}
