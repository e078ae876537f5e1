import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { prepareDataDirectory } from "./data-directory.ts";
import { checkFreeSpace } from "./free-space.ts";
import { startStack } from "../stack.ts";

const root = await mkdtemp(join(tmpdir(), "switchyard-space-"));
afterAll(() => rm(root, { recursive: true, force: true }));

test("a disk without room is named, with what is free and what is needed", async () => {
  await expect(checkFreeSpace(root, 0)).resolves.toBeUndefined();
  await expect(checkFreeSpace(root, 1e18)).rejects.toMatchObject({
    message: expect.stringMatching(/^The disk is full: .* has \d+ MB free and needs 1000000000000 MB\.$/),
    hint: expect.stringContaining("--data"),
  });
});

test("a file of the data directory that cannot be written is told in words", async () => {
  const dataDir = join(root, "data");
  await mkdir(join(dataDir, "deno-cache"), { recursive: true });
  await mkdir(join(dataDir, "keys.json.new"));
  const projectRoot = fileURLToPath(new URL("../../..", import.meta.url));
  const site = { directory: join(root, "no-site") };
  const options = { projectRoot, dataDir, host: "127.0.0.1", port: 0, site, functions: false, allowHosts: "" };
  await expect(startStack({ ...options, log: () => undefined })).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(/^The data directory .*data cannot be used: EISDIR/),
    hint: expect.stringContaining("--data"),
  });
});

test("a place where no directory can be made is told, also where the system says that nothing is missing", async () => {
  const place = process.platform === "linux" ? "/proc/switchyard/data" : join(root, "missing\0");
  await expect(prepareDataDirectory(place)).rejects.toMatchObject({
    message: expect.stringContaining("cannot be used"),
  });
  const deep = join(root, "one", "two", "three");
  expect((await prepareDataDirectory(deep)).root).toBe(deep);
});

test("a database that cannot be made says why in one line", async () => {
  await writeFile(join(root, "a-file"), "mine");
  const script = fileURLToPath(new URL("initialise-database.mjs", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, join(root, "a-file", "database")], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/\S/)]);
});
