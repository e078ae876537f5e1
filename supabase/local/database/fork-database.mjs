// Starts the database's process, which loads what it needs and waits for the order to open. Plain JavaScript, so that
// `npm start` can do it before the stack is loaded.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

// Postgres compiled by V8's baseline compiler alone answers as fast, starts in half the time, and saves
// some 100 MB over a second, optimised copy of its code.
export const baselineCompilerOnly = "--liftoff-only";

// Most that an answer makes is garbage at once: a small nursery holds it as well as the usual one and takes 25 MB less.
const smallNursery = "--max-semi-space-size=4";

// What is asked of the C library's memory (Linux, glibc) goes back to the system once it is free. By itself the library gives
// each thread a heap of its own, and keeps up to 64 MB for as long as the process runs.
const givesMemoryBack = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: String(8 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
};

/** The child ends by itself when we do. */
export function forkDatabase() {
  return fork(fileURLToPath(new URL("database-process.mjs", import.meta.url)), {
    execArgv: [baselineCompilerOnly, smallNursery, "--disable-warning=ExperimentalWarning"],
    env: { ...givesMemoryBack, ...process.env },
    serialization: "advanced",
    // Ctrl-C in the terminal is for the studio to handle, in order.
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}
