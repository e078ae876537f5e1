import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStoredObjects } from "./stored-objects.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "switchyard-objects-"));
});
afterEach(() => rm(root, { recursive: true }));

const owner = crypto.randomUUID();
const name = () => `${owner}/${crypto.randomUUID()}`;

test("S105 nothing is left of bytes that break off, at once or later", async () => {
  const objects = createStoredObjects(root);
  for (const before of [[], [new Uint8Array([1])]]) {
    async function* broken() {
      yield* before;
      throw new Error("cut off");
    }
    for (let round = 0; round < 20; round += 1)
      await expect(objects.write(name(), broken())).rejects.toThrow("cut off");
  }
  expect(await readdir(join(root, owner))).toEqual([]);
});

test("an object stays as it was first written, also while it is being written", async () => {
  const objects = createStoredObjects(root);
  const one = name();
  let write = () => {};
  const begun = new Promise<void>((resolve) => (write = resolve));
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  async function* first() {
    write();
    await held;
    yield new Uint8Array([1]);
  }
  async function* second() {
    yield new Uint8Array([2, 2]);
  }
  const writing = objects.write(one, first());
  await begun;
  expect(await objects.write(one, second())).toBe("exists");
  go();
  expect(await writing).toBe("written");
  expect(await objects.write(one, second())).toBe("exists");
  expect((await objects.read(one))?.size).toBe(1);
});
