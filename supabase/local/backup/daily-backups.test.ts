import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeFiles, writeManifest } from "./backup-manifest.ts";
import { makeDailyBackup } from "./daily-backups.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "switchyard-daily-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

async function make(path: string, at: Date, studio = "ours"): Promise<void> {
  await mkdir(path);
  await writeFile(join(path, "data"), "kept");
  writeManifest(path, {
    format: "switchyard-backup/1",
    kind: "embedded",
    createdAt: at.toISOString(),
    schema: "1",
    studio,
    source: "data",
    withKeys: false,
    leftOut: [],
    tables: [],
    files: await describeFiles(path),
  });
}

test("keeps as many as were asked for, and touches nothing else", async () => {
  const others = ["photos", "switchyard-notes", "switchyard-2025-01-01T00-00-00Z"];
  for (const name of others) await mkdir(join(folder, name));
  await make(join(folder, "switchyard-2025-02-02T00-00-00Z"), day(1), "another studio");
  await make(join(folder, "before the upgrade"), day(1));
  const options = { folder, keep: 2, studio: "ours", log: () => undefined };
  for (const number of [1, 2, 3, 4]) {
    await makeDailyBackup({ ...options, backUp: (path) => make(path, day(number)) }, day(number));
  }
  expect((await readdir(folder)).toSorted()).toEqual(
    [
      ...others,
      "before the upgrade",
      "switchyard-2025-02-02T00-00-00Z",
      "switchyard-2026-01-03T00-00-00Z",
      "switchyard-2026-01-04T00-00-00Z",
    ].toSorted(),
  );
});

test("removes none when the new one fails, or is not whole", async () => {
  const options = { folder, keep: 1, studio: "ours", log: () => undefined };
  const first = await makeDailyBackup({ ...options, backUp: (path) => make(path, day(1)) }, day(1));
  const failing = () => Promise.reject(new Error("The disk is full."));
  await expect(makeDailyBackup({ ...options, backUp: failing }, day(2))).rejects.toThrow("The disk is full.");
  const damaged = async (path: string) => {
    await make(path, day(3));
    await writeFile(join(path, "data"), "lost");
  };
  await expect(makeDailyBackup({ ...options, backUp: damaged }, day(3))).rejects.toThrow("is not as it was written");
  expect(existsSync(first)).toBe(true);
});
