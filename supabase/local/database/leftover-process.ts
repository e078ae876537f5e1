import { readFile, rm } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf, isAlive, processIdentity, type ProcessIdentity } from "./process-identity.ts";
import { StartError } from "../start-error.ts";

/**
 * Ends the process that an instance left behind: killed in the middle of a long statement, it could not take its database's
 * process along, and two of them would damage the data. Throws StartError when it does not end.
 */
export async function endLeftoverProcess(path: string): Promise<void> {
  const leftover = await readIdentity(path);
  if (leftover && isAlive(leftover)) {
    // Where the system does not say when a process began, the number may be another program's by now.
    if (leftover.processStart !== null) process.kill(leftover.pid, "SIGKILL");
    for (let tries = 0; isAlive(leftover); tries += 1) {
      if (tries === 100) throw stillRunning(leftover);
      await sleep(50);
    }
  }
  await rm(path, { force: true });
}

/** Notes which process has the database now. Synchronous, so that it is on the disk before the process opens anything. */
export function noteProcess(path: string, pid: number): void {
  writeFileSync(path, JSON.stringify(identityOf(pid)), { mode: 0o600 });
}

async function readIdentity(path: string): Promise<ProcessIdentity | null> {
  try {
    return processIdentity.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}

function stillRunning({ pid }: ProcessIdentity): StartError {
  return new StartError(
    `The database of an earlier start is still open in process ${pid}.`,
    `Stop that process, then start again. If ${pid} is another program, delete database-process.json in the data directory.`,
  );
}
