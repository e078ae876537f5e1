import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeFiles, writeManifest } from "./backup-manifest.ts";
import { restoreEmbedded } from "./restore-embedded.ts";

const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "switchyard-restore-"))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function makeBackup(kind: "embedded" | "postgres", file: string): Promise<string> {
  const folder = join(root, "backup");
  await mkdir(join(folder, "database"), { recursive: true });
  await writeFile(join(folder, file), "no database");
  writeManifest(folder, {
    format: "switchyard-backup/1",
    kind,
    createdAt: new Date(0).toISOString(),
    schema: "1",
    studio: "ours",
    source: "data",
    withKeys: false,
    leftOut: [],
    tables: [],
    files: await describeFiles(folder),
  });
  return folder;
}

test("a backup of a server is refused in words, before the directory is made", async () => {
  const folder = await makeBackup("postgres", "database.dump");
  const to = join(root, "data");
  await expect(restoreEmbedded(to, { folder, keysFile: undefined, migrations })).rejects.toMatchObject({
    message: expect.stringContaining("is the backup of a PostgreSQL server"),
    hint: expect.stringContaining("--to postgres://"),
  });
  expect(existsSync(to)).toBe(false);
});

test("a restore that fails leaves neither keys nor a draft, and removes one that was left", async () => {
  const folder = await makeBackup("embedded", join("database", "PG_VERSION"));
  const to = join(root, "data");
  await mkdir(join(to, "database.new-restored", "left"), { recursive: true });
  await expect(restoreEmbedded(to, { folder, keysFile: undefined, migrations })).rejects.toBeInstanceOf(Error);
  expect(await readdir(to)).toEqual([]);
});
