import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../database/database.ts";
import { dataDirectoryAt } from "../database/data-directory.ts";

const child = fileURLToPath(new URL("power-cut-child.mjs", import.meta.url));

/**
 * Runs the database in `directory` until it has acknowledged `count` numbers, cuts the power, and puts what was on the disk
 * into `remains`. Gives all numbers that it acknowledged.
 */
export async function cutPowerAfter(count: number, directory: string, remains: string): Promise<number[]> {
  const running = spawn(process.execPath, [child, directory, remains], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(running, "exit");
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: running.stdout })) {
    acknowledged.push(Number(/^KEPT (\d+)$/.exec(line)?.[1]));
    if (acknowledged.length === count) running.kill("SIGKILL");
  }
  await ended;
  return acknowledged;
}

/** The numbers in a database that was cut off. Throws when it cannot be opened, or its pages carry no checksums. */
export async function numbersIn(remains: string): Promise<Set<number>> {
  const { driver } = await openDatabase(dataDirectoryAt(remains).database);
  try {
    const { rows } = await driver.query<{ number: number }>("select number from kept order by number");
    const { rows: settings } = await driver.query<{ data_checksums: string }>("show data_checksums");
    if (settings[0]?.data_checksums !== "on") throw new Error("The database was made without checksums.");
    return new Set(rows.map(({ number }) => number));
  } finally {
    await driver.close();
  }
}
