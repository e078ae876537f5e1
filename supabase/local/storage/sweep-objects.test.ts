import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedTestStack } from "../testing/shared-stack.ts";
import { createStoredObjects } from "./stored-objects.ts";
import { sweepObjects } from "./sweep-objects.ts";

test("bytes that no file holds go though nobody stores another, but not while they are copied", async () => {
  const stack = await sharedTestStack();
  const root = await mkdtemp(join(tmpdir(), "switchyard-objects-"));
  const objects = createStoredObjects(root);
  const [folder, dead, held] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [dead, held]) await objects.write(`${folder}/${id}`, bytes());
  await stack.sql(
    "insert into private.studio_dead_blobs (folder, blob, due_at) values ($1, $2, now() - interval '1 hour')",
    [folder, dead],
  );
  let isCopied = true;
  const lines: string[] = [];
  const sweeper = sweepObjects(
    { query: async (sql: string, values?: unknown[]) => ({ rows: await stack.sql(sql, values) }) as never },
    objects,
    { isCopied: () => isCopied, log: (line) => lines.push(line), everyMs: 3_600_000 },
  );
  try {
    await sweeper.sweep();
    expect(await objects.read(`${folder}/${dead}`)).toBeDefined();
    isCopied = false;
    await sweeper.sweep();
    expect(await objects.remove(`${folder}/${dead}`)).toBe(false);
    expect(await objects.remove(`${folder}/${held}`)).toBe(true);
    expect(await stack.sql("select 1 as one from private.studio_dead_blobs where folder = $1", [folder])).toEqual([]);
    expect(lines).toEqual([]);
  } finally {
    sweeper.stop();
    await rm(root, { recursive: true });
  }
});

test("S96 bytes of one account that cannot be deleted hold up nobody else's, however many they are", async () => {
  const stack = await sharedTestStack();
  const [stuck, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await stack.sql(
    `insert into private.studio_dead_blobs (folder, blob, due_at)
     select $1::uuid, gen_random_uuid(), now() - interval '2 hours' from generate_series(1, 120)
     union all select $2::uuid, gen_random_uuid(), now() - interval '1 hour'`,
    [stuck, other],
  );
  const lines: string[] = [];
  const sweeper = sweepObjects(
    { query: async (sql: string, values?: unknown[]) => ({ rows: await stack.sql(sql, values) }) as never },
    { remove: (name) => (name.startsWith(stuck) ? Promise.reject(new Error("EACCES")) : Promise.resolve(true)) },
    { isCopied: () => false, log: (line) => lines.push(line), everyMs: 3_600_000 },
  );
  const left = async (folder: string) =>
    (await stack.sql("select from private.studio_dead_blobs where folder = $1", [folder])).length;
  try {
    await sweeper.sweep();
    await sweeper.sweep();
    expect([await left(stuck), await left(other)]).toEqual([120, 0]);
    expect(lines).toEqual([expect.stringContaining("could not be removed (EACCES)")]);
  } finally {
    sweeper.stop();
    await stack.sql("delete from private.studio_dead_blobs where folder = $1", [stuck]);
  }
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([1, 2, 3]);
}
