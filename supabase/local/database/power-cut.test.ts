import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { dataDirectoryAt } from "./data-directory.ts";
import { loadKeys } from "./keys.ts";
import { writeSynced } from "./synced-files.ts";
import { cutPowerAfter, numbersIn } from "../testing/power-cut.ts";

const root = await mkdtemp(join(tmpdir(), "switchyard-power-cut-"));
afterAll(() => rm(root, { recursive: true, force: true }));

test("a power cut takes nothing that was acknowledged, from the first moment on", async () => {
  let directory = join(root, "data");
  const all: number[] = [];
  for (const [round, count] of [5, 40].entries()) {
    const remains = join(root, `remains-${round}`);
    all.push(...(await cutPowerAfter(count, directory, remains)));
    const { database, keys } = dataDirectoryAt(remains);
    await expect(loadKeys(keys, { mayCreate: false })).resolves.toMatchObject({ credentialsKeyVersion: 1 });
    expect((await readFile(join(database, "PG_VERSION"), "utf8")).trim()).toBe("17");
    const kept = await numbersIn(remains);
    expect(all.filter((number) => !kept.has(number))).toEqual([]);
    // Power is back: it goes on with what remains.
    directory = remains;
  }
  expect(all.length).toBeGreaterThanOrEqual(45);
});

test("a file that is written through is whole, for its owner alone, and leaves no draft", async () => {
  const path = join(root, "file");
  writeSynced(path, "one");
  writeSynced(path, "two");
  expect(await readFile(path, "utf8")).toBe("two");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await expect(stat(`${path}.new`)).rejects.toThrow("ENOENT");
});
