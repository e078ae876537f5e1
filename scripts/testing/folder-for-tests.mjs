import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const inMemory = "/dev/shm";
const enough = 6 * 1024 ** 3;

/**
 * The folder in which tests keep their databases and other files: in memory where the system has such a folder, room in it,
 * and memory to spare. Each database has 1,300 small files; on a disk, making and deleting them takes as much processor time as
 * starting the database.
 */
export function folderForTests() {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize >= enough && freemem() >= enough && runsPrograms(inMemory)) return inMemory;
  } catch {
    // There is none.
  }
  return tmpdir();
}

/** Some tests write a program and run it, which containers forbid there. */
function runsPrograms(folder) {
  const place = mkdtempSync(join(folder, "switchyard-program-"));
  try {
    const program = join(place, "program");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o700);
    return spawnSync(program).status === 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
