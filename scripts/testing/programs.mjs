import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { folderForTests } from "./folder-for-tests.mjs";
import { root } from "./root.mjs";

/** Where everything that tests write goes; it is removed at the end. */
export const temporary = mkdtempSync(join(folderForTests(), "switchyard-test-"));
// Postgres servers of tests run as a user of their own, who must get through.
chmodSync(temporary, 0o711);
process.once("exit", () => {
  try {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  } catch {
    // A program that outlives its tests still writes there.
  }
});

const hasGroups = process.platform !== "win32";
const running = new Set();

/**
 * Runs a program; resolves to its exit code and what it printed. Each piece is also given to `show` as it comes.
 */
export function runProgram(command, args, { environment = {}, show = () => undefined } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary, NO_COLOR: "1", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that what it has started ends with it.
      detached: hasGroups,
      // What npm installs there are scripts of the shell; an argument of Node itself would be torn apart by it.
      shell: !hasGroups && command !== process.execPath,
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        output += data;
        show(data);
      });
    }
    const end = (code, message = "") => {
      running.delete(child);
      resolve({ code, output: output + message });
    };
    child.on("close", (code) => end(code ?? 1));
    child.on("error", (error) => end(1, `${error.message}\n`));
  });
}

/** Ends all programs that run, with what they have started; those that go on after ten seconds, by force. */
export function endPrograms() {
  for (const child of running) signal(child, "SIGINT");
  setTimeout(() => {
    for (const child of running) signal(child, "SIGKILL");
  }, 10_000).unref();
}

function signal(child, name) {
  try {
    if (hasGroups) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has just ended.
  }
}

let free = availableParallelism();
const waiting = [];

/** Does the work as soon as a processor is free for it. */
export async function onFreeProcessor(work) {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
