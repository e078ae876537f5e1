import { expect, test } from "vitest";
import { credentialTypes } from "../../../src/engine/credentials/credential-types.ts";
import { signUp } from "../testing/clients.ts";
import { plant, plantEverywhere } from "../testing/sample-rows.ts";
import { sharedTestStack } from "../testing/shared-stack.ts";

const stack = await sharedTestStack();
// Traffic first: nothing that the API library does on its first requests may widen what the migrations grant.
const { client } = await signUp(stack);
await client.from("studio_workflows").select();

const ourSchemas = "('public', 'private')";

test("S37 every table has row level security", async () => {
  const open = await stack.sql(`
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${ourSchemas} and c.relkind in ('r', 'p') and not c.relrowsecurity`);
  expect(open).toEqual([]);
});

test("S37 every policy is for signed-in users and compares the owner", async () => {
  const policies = await stack.sql<{ name: string; permissive: string; roles: string; using: string; check: string }>(`
    select policyname as name, permissive, roles::text, coalesce(qual, with_check) as using,
      coalesce(with_check, qual) as check
    from pg_policies where schemaname in ${ourSchemas}`);
  expect(policies.length).toBeGreaterThan(0);
  for (const policy of policies) {
    expect(policy.roles, policy.name).toBe("{authenticated}");
    expect(policy.using, policy.name).toMatch(/\bowner\b.*auth\.uid\(\)/);
    expect(policy.check, policy.name).toMatch(/\bowner\b.*auth\.uid\(\)/);
  }
});

test("S37 no view reads with the rights of its maker", async () => {
  const views = await stack.sql(`
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${ourSchemas} and c.relkind in ('v', 'm')
      and not coalesce(c.reloptions @> array['security_invoker=true'], false)`);
  expect(views).toEqual([]);
});

/**
 * Definer functions that signed-in users may call: row level security keeps Postgres from using an index, or what they read
 * is in the private schema.
 */
const ownRowsOnly = [
  "studio_knowledge_by_words",
  "studio_storage",
  // It deletes in every table, and in those of the auth server.
  "studio_delete_my_account",
  // These write rows that clients may only read.
  "studio_publish",
  // It tells of the addresses of others only whether one is taken, as publishing does.
  "studio_free_slug",
  "studio_point",
  "studio_set_publication",
  "studio_switch_trigger",
  "studio_start_run",
  "studio_cancel_run",
  "studio_decide_wait",
  "studio_queue_state",
  "studio_save_door",
  "studio_mark_callers",
  "studio_make_api_key",
  "studio_revoke_api_key",
  "studio_renew_hook_secret",
  "studio_set_failure_secret",
  "studio_api_key_use",
  "studio_share_run",
  "studio_answer_values",
  "studio_allow_value",
  "studio_list_allowed_values",
  // What keys have spent is in the private schema.
  "studio_count_upload_cost",
  // What it indexes is the caller's; a client may not mark a document as done.
  "studio_reindex_knowledge",
  // What workers note of a source its owner may only read.
  "studio_save_source",
  "studio_reload_source",
  "studio_delete_source",
  // What they add up is in the private schema.
  "studio_activity_overview",
  "studio_collector",
  "studio_save_collector",
  "studio_publication_activity",
  "studio_run_costs",
  "studio_run_count",
  "studio_chore_problems",
  "studio_watch_run",
];

/** They touch no rows that anybody owns. */
const ofNobody = ["studio_read_prices", "studio_accept_prices", "studio_drop_prices"];

test("S37 every SECURITY DEFINER function has an empty search path and is for the service role, or compares the owner", async () => {
  const functions = await stack.sql<{
    name: string;
    config: string[] | null;
    source: string;
    anon: boolean;
    authenticated: boolean;
  }>(`
    select p.proname as name, p.proconfig as config, p.prosrc as source,
      has_function_privilege('anon', p.oid, 'execute') as anon,
      has_function_privilege('authenticated', p.oid, 'execute') as authenticated
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${ourSchemas} and p.prosecdef`);
  expect(functions.map((found) => found.name)).toContain("studio_read_credential_secret");
  for (const { name, config, source, anon, authenticated } of functions) {
    expect(config, name).toContain('search_path=""');
    expect({ name, anon, authenticated }).toEqual({
      name,
      anon: false,
      authenticated: [...ownRowsOnly, ...ofNobody].includes(name),
    });
    if (!authenticated) continue;
    if (ofNobody.includes(name)) {
      expect(source, name).not.toMatch(/\bpublic\.(?!studio_read_prices)/);
      continue;
    }
    expect(source, name).toContain("caller constant uuid := auth.uid()");
    // Every table that it reads is read as the caller's.
    for (const [, alias] of source.matchAll(/from public\.\w+ as (\w+)/g)) {
      expect(source, `${name}: ${alias}`).toContain(`${alias}.owner = caller`);
    }
  }
});

test("S65 what the deletion of a user fires afterwards has rights of its own", async () => {
  // A cascade deletes with the rights of each table's owner; triggers after it run with those of whoever deletes the user.
  const withoutRights = await stack.sql(`
    with recursive reached (child, action) as (
      select conrelid, confdeltype from pg_constraint where contype = 'f' and confrelid = 'auth.users'::regclass
      union
      select own.conrelid, own.confdeltype from pg_constraint as own
      join reached on own.confrelid = reached.child and reached.action = 'c'
      where own.contype = 'f'
    )
    select distinct triggers.tgname as trigger, functions.proname as function
    from reached
    join pg_trigger as triggers on triggers.tgrelid = reached.child and not triggers.tgisinternal
    join pg_proc as functions on functions.oid = triggers.tgfoid
    where triggers.tgtype & 2 = 0 and not functions.prosecdef
      -- A deleted row, or a reference that is emptied.
      and triggers.tgtype & case when reached.action = 'c' then 8 else 16 end <> 0`);
  expect(withoutRights).toEqual([]);
});

test("S65 the auth server of a hosted project deletes a user, who has something in every table", async () => {
  const left = await stack.undone(async (transaction) => {
    const ground: Parameters<typeof plant>[0] = {
      sql: async (query, parameters) => (await transaction.query<never>(query, parameters)).rows,
    };
    const userId = crypto.randomUUID();
    await ground.sql("insert into auth.users (id, email) values ($1, 'leaving@example.test')", [userId]);
    await plantEverywhere(ground, { userId });
    for (const statement of [
      "create role supabase_auth_admin noinherit",
      "grant usage on schema auth to supabase_auth_admin",
      "grant select, delete on all tables in schema auth to supabase_auth_admin",
      "set local role supabase_auth_admin",
    ]) {
      await ground.sql(statement);
    }
    await ground.sql("delete from auth.users where id = $1", [userId]);
    await ground.sql("reset role");
    return ground.sql("select name from public.studio_workflows where owner = $1", [userId]);
  });
  expect(left).toEqual([]);
});

test("what our functions refuse is the caller's affair: 4xx at PostgREST's door, here and hosted", async () => {
  const functions = await stack.sql<{ name: string; source: string }>(`
    select p.proname as name, p.prosrc as source from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${ourSchemas}`);
  const raised = functions.flatMap(({ name, source }) =>
    [...source.matchAll(/raise exception '([^']*)'([^;]*);/g)].map(([, words = "", rest = ""]) => ({
      name,
      words,
      code: /errcode = '(\w+)'/.exec(rest)?.[1] ?? "P0001",
    })),
  );
  expect(raised.length).toBeGreaterThan(30);
  // P0001 is 400 there; here its words tell, and it is caught where it only ends a block.
  const isRefusal = ({ words, code }: (typeof raised)[number]) =>
    /^(?:PT4\d\d|22023|23505|42501)$/.test(code) ||
    // Only workers of older versions call what says this; no page does.
    (code === "0A000" && words.includes("is of an older version")) ||
    (code === "P0001" && (words.startsWith("quota_exceeded") || words === "refused"));
  expect(raised.filter((one) => !isRefusal(one))).toEqual([]);

  const id = crypto.randomUUID();
  const calls: [name: string, parameters: Record<string, unknown>, status: number][] = [
    ["studio_set_failure_secret", { p_workflow_id: id, p_secret: "test-key-none" }, 404],
    ["studio_renew_hook_secret", { p_workflow_id: id, p_secret: "test-key-none", p_keep_previous: false }, 404],
    ["studio_renew_hook_secret", { p_workflow_id: id, p_secret: "short", p_keep_previous: false }, 400],
    ["studio_cancel_run", { p_run_id: id }, 404],
    ["studio_revoke_api_key", { p_id: id }, 404],
    ["studio_free_slug", { p_slug: "No Slug" }, 400],
  ];
  for (const [name, parameters, status] of calls) {
    const { error, status: answered } = await client.rpc(name, parameters);
    expect([name, answered, error?.message]).toEqual([name, status, expect.stringMatching(/^[a-z_]+$/)]);
  }
});

test("S37 anon may do nothing with any table or function", async () => {
  const granted = await stack.sql(`
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${ourSchemas} and c.relkind in ('r', 'p', 'v', 'm')
      and has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate, references, trigger')
    union all
    select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${ourSchemas} and has_function_privilege('anon', p.oid, 'execute')`);
  expect(granted).toEqual([]);
});

test("S46 the private schema is closed to every role of the API", async () => {
  const [schema] = await stack.sql(`
    select has_schema_privilege('anon', 'private', 'usage') as anon,
      has_schema_privilege('authenticated', 'private', 'usage') as authenticated,
      has_schema_privilege('service_role', 'private', 'usage') as service_role`);
  expect(schema).toEqual({ anon: false, authenticated: false, service_role: false });
  const readable = await stack.sql(`
    select c.relname, r.rolname from pg_class c, pg_roles r
    where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p')
      and r.rolname in ('anon', 'authenticated', 'service_role')
      and has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate, references, trigger')`);
  expect(readable).toEqual([]);
});

test("S37 clients may write no column of a credential but its name and what they decide about its use", async () => {
  const columns = await stack.sql(`
    select a.attname as name from pg_attribute a
    where a.attrelid = 'public.studio_credentials'::regclass and a.attnum > 0
      and has_column_privilege('authenticated', a.attrelid, a.attnum, 'insert, update')
    order by 1`);
  expect(columns).toEqual([{ name: "name" }, { name: "settings" }]);
});

test("a function that discourages scans compiles nothing: they look immensely dear, and are not", async () => {
  const functions = await stack.sql<{ name: string; jit: boolean }>(`
    select p.proname as name, p.proconfig @> array['jit=off'] as jit
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ${ourSchemas} and p.proconfig::text like '%enable_seqscan=off%' order by 1`);
  expect(functions).toEqual([
    { name: "studio_delete_part", jit: true },
    { name: "studio_knowledge_by_words", jit: true },
  ]);
});

test("pgvector can be installed", async () => {
  await stack.sql("create extension if not exists vector with schema extensions");
  const [distance] = await stack.sql("select '[1,2]'::extensions.vector operator(extensions.<->) '[1,4]' as value");
  expect(distance).toEqual({ value: 2 });
});

test("the database takes the credential types that the studio has, and no others", async () => {
  const [check] = await stack.sql<{ definition: string }>(`
    select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'studio_credentials_type_check'`);
  const taken = [...(check?.definition ?? "").matchAll(/'([a-z0-9-]+)'/g)].map(([, type]) => type);
  expect(taken.toSorted()).toEqual(Object.keys(credentialTypes).toSorted());
});
