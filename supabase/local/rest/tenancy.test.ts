import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { createTestClient, signUp } from "../testing/clients.ts";
import { plant, sampleOf } from "../testing/sample-rows.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
const [alice, bob] = [await signUp(stack), await signUp(stack)];
const anonymous = createTestClient(stack);
afterAll(() => stack.stop());

const tables = await stack.sql<{ name: string; key: string[] }>(`
  select c.relname as name, array_agg(a.attname::text order by k.position) as key
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  cross join unnest(i.indkey) with ordinality as k (column_number, position)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.column_number
  where c.relkind in ('r', 'p')
  group by c.relname order by c.relname`);

test("S37 the catalog has the tables of the studio, each with a primary key", async () => {
  const [all] = await stack.sql<{ count: number }>(
    "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  expect(tables.length).toBe(all?.count);
  expect(tables.map((table) => table.name)).toContain("studio_workflows");
});

async function read(table: string, query: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${alice.accessToken}`;
  const address = `${stack.url}/rest/v1/${table}?${query}`;
  const response = await fetch(address, { headers: { apikey: stack.key, authorization, ...headers } });
  const [type, range] = ["content-type", "content-range"].map((name) => response.headers.get(name));
  return { status: response.status, type, range, body: await response.json() };
}

describe.each(tables)("S37 $name", ({ name, key }) => {
  const { rights, change, row } = sampleOf(name);

  async function plantFor(user: typeof alice) {
    const planted = await plant(stack, name, user);
    return { planted, match: Object.fromEntries(key.map((column) => [column, planted[column]])) };
  }

  async function stored(match: Record<string, unknown>) {
    const condition = key.map((column, index) => `${column} = $${index + 1}`).join(" and ");
    const [found] = await stack.sql(`select * from public.${name} where ${condition}`, Object.values(match));
    return found;
  }

  test("shows its owner, and only its owner, a row", async () => {
    const { match } = await plantFor(alice);
    expect((await alice.client.from(name).select().match(match)).data).toHaveLength(1);
    expect((await bob.client.from(name).select().match(match)).data).toEqual([]);
    expect((await bob.client.from(name).select("owner")).data ?? []).not.toContainEqual({ owner: alice.userId });
    const refused = await anonymous.from(name).select();
    expect(refused.error?.code).toBe("42501");
    expect(refused.data).toBeNull();
  });

  test("answers plain reads as it answers all others", async () => {
    const { match } = await plantFor(alice);
    const filters = Object.entries(match).map(([column, value]) => `${column}=eq.${encodeURIComponent(String(value))}`);
    for (const asked of [
      "select=*",
      `select=${key.join(",")}&order=${key[0]}.desc.nullslast&limit=3`,
      "select=no_such",
    ]) {
      const query = [asked, ...filters].join("&");
      // With a preference that changes nothing, the API library answers.
      const [direct, usual] = [await read(name, query), await read(name, query, { prefer: "count=none" })];
      expect(direct, query).toEqual(usual);
    }
  });

  test("takes rows from its owner, for themselves only", async () => {
    const own = await alice.client.from(name).insert(await row(stack, alice));
    expect(own.error?.code).toBe(rights.insert ? undefined : "42501");
    const forged = { ...(await row(stack, alice)), owner: alice.userId };
    expect((await bob.client.from(name).insert(forged)).error?.code).toBe("42501");
    expect((await anonymous.from(name).insert(forged)).error?.code).toBe("42501");
  });

  test("takes no row that hangs on another user's parent", async () => {
    const others = await row(stack, alice);
    const parents = Object.keys(others).filter((column) => /^(workflow|run|collection|document)_id$/.test(column));
    if (parents.length === 0 || !rights.insert) return;
    const { error } = await bob.client.from(name).insert(others);
    expect(error?.code).toMatch(/^(23503|42501)$/);
  });

  test("lets its owner, and only its owner, change a row", async () => {
    const { planted, match } = await plantFor(alice);
    await bob.client.from(name).update(change).match(match);
    await anonymous.from(name).update(change).match(match);
    expect(await stored(match)).toEqual(planted);
    const own = await alice.client.from(name).update(change).match(match);
    expect(own.error?.code).toBe(rights.update ? undefined : "42501");
    expect(await stored(match)).toMatchObject(rights.update ? change : planted);
  });

  test("lets its owner, and only its owner, delete a row", async () => {
    const { planted, match } = await plantFor(alice);
    await bob.client.from(name).delete().match(match);
    await anonymous.from(name).delete().match(match);
    expect(await stored(match)).toEqual(planted);
    const own = await alice.client.from(name).delete().match(match);
    expect(own.error?.code).toBe(rights.delete ? undefined : "42501");
    expect((await stored(match)) === undefined).toBe(rights.delete);
  });

  test("S38 does not change hands", async () => {
    const { planted, match } = await plantFor(alice);
    const away = await alice.client.from(name).update({ owner: bob.userId }).match(match);
    expect(away.error?.code).toBe("42501");
    await bob.client.from(name).update({ owner: bob.userId }).match(match);
    expect(await stored(match)).toEqual(planted);
  });
});

async function burst({ client, userId }: { client: SupabaseClient; userId: string }) {
  const name = `burst ${userId}`;
  const rounds = Array.from({ length: 25 }, async () => {
    const inserted = await client.from("studio_workflows").insert({ name, document: {} }).select("owner").single();
    const seen = await client.from("studio_workflows").select("owner");
    return [inserted.data, ...(seen.data ?? [])];
  });
  return (await Promise.all(rounds)).flat();
}

test("S37 many requests of two users at once never mix", async () => {
  const [ofAlice, ofBob] = await Promise.all([burst(alice), burst(bob)]);
  expect(new Set(ofAlice.map((found) => found?.owner))).toEqual(new Set([alice.userId]));
  expect(new Set(ofBob.map((found) => found?.owner))).toEqual(new Set([bob.userId]));
});

test("S39 equal session ids of two users and of two workflows stay apart", async () => {
  const message = { session_id: "the same", role: "user", content: "Hi", message: {} };
  const [first, second] = await Promise.all([1, 2].map(() => plant(stack, "studio_workflows", alice)));
  const ofBob = await plant(stack, "studio_workflows", bob);
  for (const [user, workflow] of [
    [alice, first],
    [alice, second],
    [bob, ofBob],
  ] as const) {
    const { error } = await user.client.from("studio_agent_memory").insert({ ...message, workflow_id: workflow?.id });
    expect(error).toBeNull();
  }
  const shared = await alice.client.from("studio_agent_memory").insert(message);
  expect(shared.error).toBeNull();
  const read = (user: typeof alice) => user.client.from("studio_agent_memory").select().eq("session_id", "the same");
  expect((await read(bob)).data).toHaveLength(1);
  expect((await read(alice).eq("workflow_id", first?.id)).data).toHaveLength(1);
  expect((await read(alice).is("workflow_id", null)).data).toHaveLength(1);
});

test("S40 history and storage show another user nothing", async () => {
  const workflow = await plant(stack, "studio_workflows", alice);
  const run = await plant(stack, "studio_runs", alice, { id: randomUUID(), workflow_id: workflow.id });
  const history = await bob.client.from("studio_runs").select("*, studio_run_events(*)").eq("workflow_id", workflow.id);
  expect(history.data ?? []).toEqual([]);
  expect((await bob.client.from("studio_run_events").select().eq("run_id", run.id)).data).toEqual([]);
  expect((await bob.client.storage.listBuckets()).data).toBeNull();
});
