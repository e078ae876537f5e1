import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { dataDirectoryAt } from "./data-directory.ts";
import { openDatabase } from "./database.ts";
import { loadKeys } from "./keys.ts";
import { writeSynced } from "./synced-files.ts";

const child = fileURLToPath(new URL("testing/power-cut-child.mjs", import.meta.url));
const root = await mkdtemp(join(tmpdir(), "switchyard-power-cut-"));
afterAll(() => rm(root, { recursive: true, force: true }));

/** Runs the database until it has acknowledged `count` numbers, and gives all that it acknowledged. */
async function cutAfter(count: number, directory: string, remains: string): Promise<number[]> {
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

test("a power cut takes nothing that was acknowledged, from the first moment on", async () => {
  let directory = join(root, "data");
  const all: number[] = [];
  for (const [round, count] of [5, 40].entries()) {
    const remains = join(root, `remains-${round}`);
    all.push(...(await cutAfter(count, directory, remains)));
    const { database, keys } = dataDirectoryAt(remains);
    await expect(loadKeys(keys, { mayCreate: false })).resolves.toMatchObject({ credentialsKeyVersion: 1 });
    expect((await readFile(join(database, "PG_VERSION"), "utf8")).trim()).toBe("17");
    const { driver } = await openDatabase(database);
    const { rows } = await driver.query<{ number: number }>("select number from kept order by number");
    const kept = new Set(rows.map(({ number }) => number));
    expect(all.filter((number) => !kept.has(number))).toEqual([]);
    expect((await driver.query("show data_checksums")).rows).toEqual([{ data_checksums: "on" }]);
    await driver.close();
    // Power is back: it goes on with what remains.
    directory = remains;
  }
  expect(all.length).toBeGreaterThanOrEqual(45);
}, 400_000);

test("a file that is written through is whole, for its owner alone, and leaves no draft", async () => {
  const path = join(root, "file");
  writeSynced(path, "one");
  writeSynced(path, "two");
  expect(await readFile(path, "utf8")).toBe("two");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(stat(`${path}.new`)).rejects.toThrow("ENOENT");
});
