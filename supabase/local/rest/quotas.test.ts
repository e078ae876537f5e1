import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newDocument } from "../../../src/engine/document/new-document.ts";
import { createRunRepository } from "../../../src/state/run/storage/run-repository.ts";
import { createStorageService } from "../../../src/state/account/storage/storage-service.ts";
import { createSupabaseClient } from "../../../src/state/shared/storage/supabase-client.ts";
import { recordRun } from "../../../src/state/run/run-recorder.ts";
import type { SaveState } from "../../../src/state/run/run-store.ts";
import { plant } from "../testing/sample-rows.ts";
import { createTestClient, type SignedIn, signUp } from "../testing/clients.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

let stack: TestStack;
const generous = { rows: 250_000, bytes: 2e9, events: 2_000_000, documents: 20_000, uploads: 1e9 };

beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.stop());

const config = () => ({ supabaseUrl: stack.url, supabaseKey: stack.key, embedded: true });

type Kind = keyof typeof generous;

/** What is counted of somebody, by kind. */
async function usageOf(user: SignedIn): Promise<Record<Kind, number>> {
  const [row] = await stack.sql<Record<Kind, string>>(
    "select rows, bytes, events, documents, uploads from private.studio_usage where owner = $1",
    [user.userId],
  );
  const kinds = Object.keys(generous) as Kind[];
  return Object.fromEntries(kinds.map((kind) => [kind, Number(row?.[kind] ?? 0)])) as Record<Kind, number>;
}

/** Runs `work` while each user may have what `user` has and `more` of one kind. */
async function withRoom(user: SignedIn, kind: Kind, more: number, work: () => Promise<void>): Promise<void> {
  const most = (await usageOf(user))[kind] + more;
  await stack.sql("select public.studio_set_quota($1, $2)", [kind, most]);
  try {
    await work();
  } finally {
    await stack.sql("select public.studio_set_quota($1, $2)", [kind, generous[kind]]);
  }
}

test("S65 every table with an owner is counted on insert, update and delete", async () => {
  const counted = await stack.sql<{ table: string; triggers: string[] }>(`
    select c.relname as table, array_agg(t.tgname::text order by t.tgname::text) filter (where t.tgname is not null)
      as triggers
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner'
    left join pg_trigger t on t.tgrelid = c.oid and t.tgname like 'studio_usage_%'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.relname`);
  // Kept by triggers, one row for what is counted elsewhere.
  const derived = ["studio_memory_conversations"];
  expect(counted.length).toBeGreaterThan(10);
  for (const { table, triggers } of counted.filter((found) => !derived.includes(found.table))) {
    expect(triggers, `select private.studio_count_table('public.${table}', …) is missing`).toEqual([
      "studio_usage_delete",
      "studio_usage_insert",
      "studio_usage_update",
    ]);
  }
});

describe("S65 what somebody has", () => {
  test("S65 is counted through writes, edits and cascades, and comes down to nothing", async () => {
    const user = await signUp(stack);
    expect(await usageOf(user)).toEqual({ rows: 0, bytes: 0, events: 0, documents: 0, uploads: 0 });
    const tables = await stack.sql<{ name: string }>(`
      select relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`);
    for (const { name } of tables) await plant(stack, name, user);
    const all = await usageOf(user);
    expect(all).toMatchObject({ events: 1, documents: 3 });
    expect(all.rows).toBeGreaterThan(10);
    expect(all.uploads).toBeGreaterThan(0);

    const { client } = user;
    const { data } = await client
      .from("studio_workflows")
      .insert({ name: "Grows", document: { nodes: {} } })
      .select("id");
    const before = await usageOf(user);
    const text = "x".repeat(100_000);
    await client
      .from("studio_workflows")
      .update({ document: { nodes: {}, text } })
      .eq("id", data?.[0]?.id);
    expect((await usageOf(user)).bytes - before.bytes).toBe('"text": "", '.length + text.length);
    // One byte of text is one byte, also when the row that goes is compressed.
    await client.from("studio_workflows").delete().eq("name", "Grows");
    expect((await usageOf(user)).bytes).toBeLessThan(before.bytes);

    for (const table of [
      "studio_workflows",
      "studio_knowledge_collections",
      "studio_settings",
      "studio_credentials",
      "studio_api_keys",
      "studio_files",
    ]) {
      await stack.sql(`delete from public.${table} where owner = $1`, [user.userId]);
    }
    await stack.sql("delete from public.studio_agent_memory where owner = $1", [user.userId]);
    expect(await usageOf(user)).toEqual({ rows: 0, bytes: 0, events: 0, documents: 0, uploads: 0 });
  });

  test("S65 counts what stands before a passage in its parent, when it is stored and when it changes", async () => {
    const user = await signUp(stack);
    const { collection_id, id } = await plant(stack, "studio_knowledge_documents", user);
    const [passages, before] = [user.client.from("studio_knowledge_chunks"), await usageOf(user)];
    const row = { collection_id, document_id: id, position: 0, content: "Hello", content_hash: "a" };
    const added = await passages.insert({ ...row, parent: 0, lead: "x".repeat(5_000) });
    expect(added.error).toBeNull();
    const grown = async () => (await usageOf(user)).bytes - before.bytes;
    const most = await grown();
    expect(most).toBeGreaterThan(5_000);
    await passages.update({ lead: "x".repeat(1_000) }).eq("document_id", id);
    expect(await grown()).toBe(most - 4_000);
  });

  test("an account can be deleted with all that it has", async () => {
    const user = await signUp(stack);
    await plant(stack, "studio_run_events", user);
    await plant(stack, "studio_knowledge_chunks", user);
    await plant(stack, "studio_memory_vectors", user);
    await stack.sql("delete from auth.users where id = $1", [user.userId]);
    expect(await stack.sql("select from private.studio_usage where owner = $1", [user.userId])).toEqual([]);
  });

  test("S65 what was deleted and could be brought back takes up room until it is purged", async () => {
    const user = await signUp(stack);
    const { client } = user;
    const { error } = await client.from("studio_workflows").insert([
      { name: "Deleted", document: {}, deleted_at: new Date().toISOString() },
      { name: "Kept", document: {} },
    ]);
    expect(error).toBeNull();
    expect((await usageOf(user)).rows).toBe(2);
    expect((await client.rpc("studio_purge_deleted")).data).toBe(1);
    expect((await usageOf(user)).rows).toBe(1);
  });
});

describe("S65 a limit", () => {
  const refused = (kind: Kind) => ({ code: "P0001", message: expect.stringContaining(`quota_exceeded ${kind} `) });

  test("S65 refuses what goes beyond it, of that user alone, and takes it again once there is room", async () => {
    const [user, other] = [await signUp(stack), await signUp(stack)];
    const add = (who: SignedIn, count: number) =>
      who.client
        .from("studio_workflows")
        .insert(Array.from({ length: count }, (_, index) => ({ name: `Flow ${index}`, document: {} })));
    await withRoom(user, "rows", 3, async () => {
      expect((await add(user, 3)).error).toBeNull();
      const { error } = await add(user, 1);
      expect(error).toMatchObject({ code: "P0001", message: "quota_exceeded rows 4 3" });
      expect((await add(other, 1)).error).toBeNull();
      // Neither an edit that takes no room nor a deletion is held up.
      expect(
        (await user.client.from("studio_workflows").update({ name: "Renamed" }).eq("name", "Flow 0")).error,
      ).toBeNull();
      await user.client.from("studio_workflows").delete().eq("name", "Flow 1");
      expect((await add(user, 1)).error).toBeNull();
    });
  });

  test("S65 holds for bytes of an edit, for documents and for uploads", async () => {
    const user = await signUp(stack);
    const { client } = user;
    await plant(stack, "studio_workflows", user);
    await withRoom(user, "bytes", 1_000, async () => {
      const grow = await client
        .from("studio_workflows")
        .update({ document: { text: "x".repeat(2_000) } })
        .eq("name", "Sample");
      expect(grow.error).toMatchObject(refused("bytes"));
    });
    const collection = await plant(stack, "studio_knowledge_collections", user);
    const document = (size: number) =>
      client.from("studio_knowledge_documents").insert({
        collection_id: collection["id"],
        name: "a.md",
        kind: "markdown",
        content_hash: randomUUID(),
        size,
        sections: [{ text: "x".repeat(5_000) }],
      });
    // What a client says of its size counts only upwards.
    await withRoom(user, "uploads", 3_000, async () =>
      expect((await document(0)).error).toMatchObject(refused("uploads")),
    );
    await withRoom(user, "documents", 1, async () => {
      expect((await document(10)).error).toBeNull();
      expect((await document(10)).error).toMatchObject(refused("documents"));
    });
  });

  test("S65 of steps lets a run finish, and says that its steps are not stored", async () => {
    const user = await signUp(stack);
    const workflow = await plant(stack, "studio_workflows", user);
    const client = createSupabaseClient(config(), { persistSession: false });
    await client.auth.signInWithPassword({ email: user.email, password: user.password });
    const states: SaveState[] = [];
    const id = randomUUID();
    await withRoom(user, "events", 2, async () => {
      const recorder = recordRun(
        {
          id,
          workflowId: String(workflow["id"]),
          input: {},
          document: newDocument(String(workflow["id"]), "Sample"),
          startedAt: Date.now(),
        },
        { repository: createRunRepository(client), registry: {}, onState: (state) => states.push(state) },
      );
      for (let seq = 0; seq < 5; seq += 1) {
        recorder.push({ runId: id, seq, at: 1, type: "log", level: "info", message: `line ${seq}` });
      }
      const usage = { inputTokens: 3, outputTokens: 4 };
      recorder.push({
        runId: id,
        seq: 5,
        at: 9,
        type: "run-end",
        outcome: "completed",
        output: "Done.",
        usage,
        costUsd: 0,
        durationMs: 5,
      });
      await recorder.done;
    });
    expect(states.at(-1)).toMatchObject({
      status: "lost",
      message: expect.stringMatching(/limit of run steps.*Delete runs/),
    });
    const [stored] = await stack.sql("select status, output, total_tokens from public.studio_runs where id = $1", [id]);
    expect(stored).toEqual({ status: "completed", output: { value: "Done." }, total_tokens: 7 });
  });

  test("S65 is shown to its user beside what they have", async () => {
    const user = await signUp(stack);
    await plant(stack, "studio_workflows", user);
    const client = createSupabaseClient(config(), { persistSession: false });
    await client.auth.signInWithPassword({ email: user.email, password: user.password });
    const use = await createStorageService(client, { embedded: true }).use();
    expect(use.map(({ kind, most }) => [kind, most])).toEqual(Object.entries(generous).toSorted());
    expect(use.find(({ kind }) => kind === "rows")?.used).toBe(1);
  });

  test("S65 is set by the service role alone, and by the operator's options", async () => {
    const user = await signUp(stack);
    const raise = { p_kind: "rows", p_most: 9_000_000 };
    expect((await user.client.rpc("studio_set_quota", raise)).error?.code).toBe("42501");
    const service = createTestClient({ url: stack.url, key: stack.serviceKey });
    expect((await service.rpc("studio_set_quota", raise)).error).toBeNull();
    await stack.stop();
    stack = await startTestStack({ quotas: { rows: 12, uploads: 34 } });
    const { data } = await (await signUp(stack)).client.rpc("studio_storage");
    expect(data).toEqual(
      expect.arrayContaining([
        { kind: "rows", used: 0, most: 12 },
        { kind: "uploads", used: 0, most: 34 },
      ]),
    );
  });
});
