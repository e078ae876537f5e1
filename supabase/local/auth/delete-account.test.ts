import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTestClient, type SignedIn, signUp } from "../testing/clients.ts";
import { plant, plantEverywhere } from "../testing/sample-rows.ts";
import { startTestStack, type TestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
afterAll(() => stack.stop());

const deleteMine = async ({ client }: Pick<SignedIn, "client">): Promise<unknown> =>
  (await client.rpc("studio_delete_my_account")).data;

/** Past the API, as a studio that is killed right after somebody has left. */
const begin = (on: TestStack, { userId }: SignedIn) =>
  on.sql("with begun as materialized (select private.studio_begin_deletion($1)) select from begun", [userId]);

async function isGone(on: TestStack, { userId }: SignedIn): Promise<void> {
  await expect.poll(() => on.sql("select id from auth.users where id = $1", [userId])).toEqual([]);
}

interface Named {
  schema: string;
  name: string;
}

/** Every table that is not Postgres's own, whoever has made it. */
const allTables = () =>
  stack.sql<Named>(`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('information_schema', 'supabase_migrations')
      and n.nspname not like 'pg\\_%' order by 1, 2`);

/** The rows that hold one of these texts in any column, by table. */
async function rowsNaming(...texts: string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const { schema, name } of await allTables()) {
    const rows = await stack.sql<{ row: unknown }>(
      `select to_jsonb(t) as row from ${schema}.${name} t
       where exists (select from unnest($1::text[]) as wanted where t::text ilike '%' || wanted || '%') order by t::text`,
      [texts],
    );
    if (rows.length > 0) found[`${schema}.${name}`] = rows;
  }
  return found;
}

/** A row in every table of the studio, and in one of the auth server. */
async function fill(user: SignedIn): Promise<void> {
  await plantEverywhere(stack, user);
  const { client } = user;
  const made = await client.rpc("studio_make_api_key", { p_name: "Mine", p_scopes: ["run:*"], p_limits: {} });
  expect(made.error).toBeNull();
  await stack.sql(
    `insert into auth.flow_state
       (id, user_id, auth_code, authentication_method, code_challenge, code_challenge_method, provider_type)
     values (gen_random_uuid(), $1, 'code', 'email', 'challenge', 's256', 'email')`,
    [user.userId],
  );
}

describe("an account that is deleted", () => {
  test("S40 leaves no row that names it in any table, and touches no row of anybody else", async () => {
    const [leaving, staying] = [await signUp(stack), await signUp(stack)];
    await fill(leaving);
    await fill(staying);
    const before = await rowsNaming(staying.userId, staying.email);
    expect(Object.keys(await rowsNaming(leaving.userId, leaving.email))).toEqual(Object.keys(before));
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining([
        "auth.identities",
        "auth.refresh_tokens",
        "auth.sessions",
        "auth.users",
        "public.studio_runs",
      ]),
    );

    expect(["deleting", "deleted"]).toContain(await deleteMine(leaving));
    await isGone(stack, leaving);
    // As the site does next.
    await leaving.client.auth.signOut({ scope: "local" });
    // Where bytes still lie that are to be deleted; the note goes with them.
    const { "private.studio_dead_blobs": _bytes, ...left } = await rowsNaming(leaving.userId, leaving.email);
    expect(left).toEqual({});
    expect(await rowsNaming(staying.userId, staying.email)).toEqual(before);
    const orphans = await stack.sql(`
      select 'secret' from private.studio_credential_secrets where credential_id not in (select id from public.studio_credentials)
      union all select 'hash' from private.studio_api_key_hashes where key_id not in (select id from public.studio_api_keys)
      union all select 'visitor' from private.studio_visitors
        where workflow_id not in (select workflow_id from public.studio_publications)`);
    expect(orphans).toEqual([]);
  });

  test("S75 is no visitor of others' chat pages any more, whose owners keep what was asked", async () => {
    const [leaving, staying] = [await signUp(stack), await signUp(stack)];
    const subject = `account ${leaving.userId}`;
    const { workflow_id } = await plant(stack, "studio_publications", staying);
    const thread = { workflow_id, subject, title: "Hello" };
    await plant(stack, "studio_chat_threads", staying, thread);
    await plant(stack, "studio_runs", staying, { workflow_id, subject, status: "completed", source: "chat" });
    await stack.sql(
      `insert into private.studio_chat_sessions (hash, workflow_id, subject, access_hash, expires_at)
       values (repeat('a', 64), $1, $2, 'any', now() + interval '1 day')`,
      [workflow_id, subject],
    );
    await begin(stack, leaving);
    expect(
      await stack.sql("select hash from private.studio_chat_sessions where workflow_id = $1", [workflow_id]),
    ).toEqual([]);
    await stack.sql("select private.studio_delete_part(60000, $1)", [leaving.userId]);
    expect(await rowsNaming(leaving.userId, leaving.email)).toEqual({});
    const kept = await stack.sql<{ subject: string }>(
      `select subject from public.studio_chat_threads where owner = $1
       union all select subject from public.studio_runs where owner = $1 and source = 'chat'`,
      [staying.userId],
    );
    expect(kept).toHaveLength(2);
    expect(new Set(kept.map((row) => row.subject)).size).toBe(1);
    expect(kept[0]?.subject).toMatch(/^visitor [0-9a-f-]{36}$/);
  });

  test("every table with rows of accounts is gone through, or goes with one that is", async () => {
    const swept = (await stack.sql<{ name: string }>("select name from private.studio_owned_tables()")).map(
      ({ name }) => name,
    );
    const ofAccounts = await stack.sql<{ name: string; cascades: boolean }>(`
      with recursive reached as (
        select 'auth.users'::regclass as id
        union
        select k.conrelid::regclass from pg_constraint k join reached r on k.confrelid = r.id
        where k.contype = 'f' and k.confdeltype = 'c'
      )
      select n.nspname || '.' || c.relname as name, c.oid in (select id from reached) as cascades
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'private') and c.relkind = 'r' order by 1`);
    // What belongs to nobody: of the whole studio, or a hash.
    const ofNobody = ["quotas", "used_invites", "workers", "door_limits", "prices", "pause", "source_hosts"].map(
      (name) => `private.studio_${name}`,
    );
    // One row for each chunk, which takes it along; and the list itself.
    const along = ["public.studio_knowledge_bits", "private.studio_deletions"];
    // Of no account that is gone for longer than it takes a worker to look for a run: they wait for nobody who holds an account's row.
    const queue = ["private.studio_queue_checks", "private.studio_run_jobs"];
    // Outlasts the account until its bytes are deleted.
    const bytes = ["private.studio_dead_blobs"];
    expect(ofAccounts.filter(({ cascades }) => !cascades).map(({ name }) => name)).toEqual(
      [...ofNobody, ...queue, ...bytes].toSorted(),
    );
    expect(ofAccounts.map(({ name }) => name).filter((name) => !swept.includes(name))).toEqual(
      [...ofNobody, ...along, ...bytes].toSorted(),
    );
  });

  test("S65 is closed at once: sessions, tokens, renewals and the password are refused", async () => {
    const user = await signUp(stack);
    const other = createTestClient(stack);
    await other.auth.signInWithPassword(user);
    // Both are looked up, and remembered as good, right before.
    for (const client of [user.client, other])
      expect((await client.from("studio_workflows").select("id")).error).toBeNull();
    await deleteMine(user);
    for (const client of [user.client, other]) {
      expect((await client.from("studio_workflows").insert({ name: "Late" })).error).not.toBeNull();
      expect((await client.auth.refreshSession()).error).not.toBeNull();
    }
    expect((await createTestClient(stack).auth.signInWithPassword(user)).error?.code).toBe("invalid_credentials");
  });

  test("leaves its address to whoever signs up next, who finds nothing", async () => {
    const user = await signUp(stack);
    await plant(stack, "studio_workflows", user);
    await begin(stack, user);
    // Also while the rows are still there.
    const next = await createTestClient(stack).auth.signUp({ email: user.email, password: "another-test-password" });
    expect(next.error).toBeNull();
    expect(next.data.user?.id).not.toBe(user.userId);
    const client = createTestClient(stack);
    await client.auth.signInWithPassword({ email: user.email, password: "another-test-password" });
    expect((await client.from("studio_workflows").select("id")).data).toEqual([]);
  });
});

describe("who may delete an account", () => {
  const age = ({ userId }: SignedIn, minutes: number) =>
    stack.sql("update auth.sessions set created_at = now() - make_interval(mins => $2) where user_id = $1", [
      userId,
      minutes,
    ]);

  test("S65 whoever has signed in not long ago; renewing a session is no sign-in", async () => {
    const user = await signUp(stack);
    await age(user, 11);
    expect(await deleteMine(user)).toBe("sign-in-needed");
    await user.client.auth.refreshSession();
    expect(await deleteMine(user)).toBe("sign-in-needed");
    expect((await user.client.from("studio_workflows").select("id")).error).toBeNull();

    const again = createTestClient(stack);
    await again.auth.signInWithPassword(user);
    expect(await deleteMine({ client: again })).not.toBe("sign-in-needed");
    await isGone(stack, user);
  });

  test("S65 not whoever holds a token of no session, however new it is", async () => {
    const user = await signUp(stack);
    const { SignJWT } = await import("jose");
    const token = await new SignJWT({ role: "authenticated", is_anonymous: true })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setSubject(user.userId)
      .setAudience("authenticated")
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .sign(new TextEncoder().encode(stack.jwtSecret));
    const answer = await fetch(`${stack.url}/rest/v1/rpc/studio_delete_my_account`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(await answer.json()).toBe("sign-in-needed");
  });

  test("a hosted project's guest, who has nothing but the session", async () => {
    const guest = await signUp(stack);
    await stack.sql("update auth.users set is_anonymous = true where id = $1", [guest.userId]);
    await age(guest, 600);
    expect(await deleteMine(guest)).not.toBe("sign-in-needed");
    await isGone(stack, guest);
  });

  test("S37 nobody that of another, nor what it holds", async () => {
    const [one, other] = [await signUp(stack), await signUp(stack)];
    for (const client of [one.client, createTestClient(stack)]) {
      for (const [name, parameters] of [
        ["studio_delete_account", { p_user: other.userId }],
        ["studio_account_contents", { p_email: other.email }],
      ] as const) {
        expect((await client.rpc(name, parameters)).error?.code, name).toBe("42501");
      }
    }
    const nobody = await createTestClient(stack).rpc("studio_delete_my_account");
    expect(nobody.error?.code).toBe("42501");
    expect((await other.client.from("studio_workflows").select("id")).error).toBeNull();
  });
});

describe("an account that holds much", () => {
  const events = 400;

  async function withEvents(on: TestStack): Promise<SignedIn> {
    const user = await signUp(on);
    const { id } = await plant(on, "studio_runs", user);
    await on.sql(
      `insert into public.studio_run_events (run_id, run_added_at, seq, owner, at, type, event)
       select id, added_at, i, $2, now(), 'log', '{"type":"log"}'
       from public.studio_runs, generate_series(1, $3::integer) as i where id = $1`,
      [id, user.userId, events],
    );
    return user;
  }

  test("goes in parts, each of which ends when its time is over", async () => {
    // In one transaction, so that the studio does not go on by itself.
    const user = await withEvents(stack);
    await stack.undone(async (transaction) => {
      const left = async () => {
        const { rows } = await transaction.query<{ left: number }>(
          "select count(*)::integer as left from public.studio_run_events where owner = $1",
          [user.userId],
        );
        return rows[0]?.left ?? 0;
      };
      const part = async () => {
        const { rows } = await transaction.query<{ gone: boolean | null }>(
          "select private.studio_delete_part(0, $1) as gone",
          [user.userId],
        );
        return rows[0]?.gone;
      };
      await transaction.query("select from (select private.studio_begin_deletion($1)) as begun", [user.userId]);
      let parts = 0;
      let seen = events;
      for (let gone = await part(); gone === false; gone = await part()) {
        parts += 1;
        const now = await left();
        expect(seen - now).toBeLessThanOrEqual(50);
        seen = now;
      }
      expect(parts).toBeGreaterThanOrEqual(events / 50);
      expect(await part()).toBeNull();
    });
  });

  test("is gone once the studio that was stopped in the middle has started again", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "switchyard-leaving-"));
    try {
      const first = await startTestStack({ dataDir });
      const user = await withEvents(first);
      await begin(first, user);
      await first.sql("select private.studio_delete_part(0)");
      expect(await first.sql("select id from auth.users where id = $1", [user.userId])).toHaveLength(1);
      await first.stop();

      const second = await startTestStack({ dataDir });
      try {
        await isGone(second, user);
        expect(await second.sql("select run_id from public.studio_run_events")).toEqual([]);
      } finally {
        await second.stop();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test("S65 what is left of it counts for nobody, and what others write meanwhile counts as ever", async () => {
    const user = await signUp(stack);
    const other = await signUp(stack);
    await plant(stack, "studio_workflows", user);
    await deleteMine(user);
    await isGone(stack, user);
    const { data } = await other.client.from("studio_workflows").insert({ name: randomUUID() }).select("id");
    expect(data).toHaveLength(1);
    const usage = await stack.sql("select rows from private.studio_usage where owner = $1", [other.userId]);
    expect(usage).toEqual([{ rows: 1 }]);
  });
});
