import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyStoredFiles, storedBytes } from "./copy-stored-files.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "switchyard-files-"))));
afterEach(() => rm(root, { recursive: true, force: true }));

test("bytes of files are copied once: what is being written is left out, and a copy that was cut short is made anew", async () => {
  const volume = join(root, "volume");
  await mkdir(join(volume, "owner"), { recursive: true });
  await writeFile(join(volume, "owner", "one"), "first");
  await writeFile(join(volume, "owner", "two.part"), "sec");
  // As where studios share a volume.
  await symlink(volume, join(root, "files"));
  expect(await storedBytes(join(root, "files"))).toBe("first".length + "sec".length);
  const copy = join(root, "copy");
  await copyStoredFiles(join(root, "files"), copy);
  expect(await readdir(join(copy, "owner"))).toEqual(["one"]);

  const kept = join(copy, "owner", "one");
  const longAgo = new Date(0);
  await utimes(kept, longAgo, longAgo);
  await writeFile(join(volume, "owner", "two"), "second");
  await writeFile(join(copy, "owner", "two"), "sec");
  await copyStoredFiles(join(root, "files"), copy);
  expect(await readFile(join(copy, "owner", "two"), "utf8")).toBe("second");
  expect((await stat(kept)).mtimeMs).toBe(0);
});

test("where no file was ever stored, nothing is copied", async () => {
  await copyStoredFiles(join(root, "none"), join(root, "copy"));
  expect(await readdir(root)).toEqual([]);
  expect(await storedBytes(join(root, "none"))).toBe(0);
});
