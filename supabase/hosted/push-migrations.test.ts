import { randomUUID } from "node:crypto";
import { copyFile, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMigrationFiles } from "../../scripts/schema/migration-files.ts";
import { openSession, type ServerSession } from "../local/database/postgres/server-session.ts";
import { plantEverywhere, sampleOf } from "../local/testing/sample-rows.ts";
import { type HostedProject, startHostedProject } from "./testing/hosted-project.ts";
import { openSupabaseCli, type SupabaseCli } from "./testing/supabase-cli.ts";

const supabase = join(import.meta.dirname, "..");
const migrations = readMigrationFiles(join(supabase, "migrations"));
const alice = { userId: randomUUID() };
const bob = { userId: randomUUID() };

let project: HostedProject;
let cli: SupabaseCli;
/** As `postgres`, whose the studio's tables are. */
let owner: ServerSession;
/** As PostgREST connects. */
let api: postgres.Sql;
const ground: Parameters<typeof plantEverywhere>[0] = {
  sql: async (query, parameters) => (await owner.query<never>(query, parameters)).rows,
};

const connect = (role: Parameters<HostedProject["urlAs"]>[0]) =>
  postgres(project.urlAs(role), { max: 1, onnotice: () => undefined });
const push = () => cli.run("db", "push", "--db-url", project.urlAs("postgres"));
const applied = async () =>
  (await project.run("select version from supabase_migrations.schema_migrations order by version")).map(
    ({ version }) => version,
  );

/** Changes with every change of a table, function, trigger, policy or grant. */
const state = () =>
  project.run(`
    select 'class' as kind, count(*), md5(string_agg(oid || ' ' || xmin, ',' order by oid)) from pg_class
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all select 'function', count(*), md5(string_agg(oid || ' ' || xmin, ',' order by oid)) from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all select 'trigger', count(*), md5(string_agg(oid || ' ' || xmin, ',' order by oid)) from pg_trigger
    union all select 'policy', count(*), md5(string_agg(oid || ' ' || xmin, ',' order by oid)) from pg_policy`);

const tablesOf = async (schema: string) =>
  (
    await project.run(
      `select relname as name from pg_class where relnamespace = '${schema}'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
  ).map(({ name }) => String(name));

/** One request as PostgREST makes it: the role and the claims of a token, in a transaction of its own. */
const request = <Row extends object>(role: string, { userId }: typeof alice, statement: string) =>
  api.begin(async (transaction) => {
    await transaction.unsafe(`set local role ${role}`);
    await transaction`select set_config('request.jwt.claims', ${JSON.stringify({ sub: userId, role })}, true)`;
    return transaction.unsafe<Row[]>(statement);
  });

beforeAll(async () => {
  [project, cli] = await Promise.all([startHostedProject(), openSupabaseCli()]);
  await mkdir(join(cli.workdir, "supabase", "migrations"), { recursive: true });
  await copyFile(join(supabase, "config.toml"), join(cli.workdir, "supabase", "config.toml"));
});
afterAll(async () => {
  owner?.close();
  await api?.end({ timeout: 1 });
  await project?.stop();
  await cli?.remove();
});

test("db push sets up a new project, brings one of an earlier version up to date, and changes nothing when it comes again", async () => {
  const target = join(cli.workdir, "supabase", "migrations");
  const [earlier, later] = [migrations.slice(0, 10), migrations.slice(10)];
  for (const { file } of earlier) await copyFile(join(supabase, "migrations", file), join(target, file));
  const first = await push();
  expect(first, first.output).toMatchObject({ code: 0 });
  expect(await applied()).toEqual(earlier.map(({ version }) => version));

  await cp(join(supabase, "migrations"), target, { recursive: true });
  const second = await push();
  expect(second, second.output).toMatchObject({ code: 0 });
  expect(await applied()).toEqual(migrations.map(({ version }) => version));
  for (const { file } of later) expect(second.output).toContain(file);

  const before = await state();
  const third = await push();
  expect(third, third.output).toMatchObject({ code: 0, output: expect.stringContaining("up to date") });
  expect(await state()).toEqual(before);
});

test("S37 row level security holds for PostgREST, which comes as authenticator", async () => {
  owner = await openSession(project.urlAs("postgres"), { deadlineMs: 0 });
  api = connect("authenticator");
  for (const { userId } of [alice, bob]) {
    await ground.sql("insert into auth.users (id, email, created_at) values ($1, $2, now())", [
      userId,
      `${userId}@example.test`,
    ]);
    await plantEverywhere(ground, { userId });
  }
  const tables = await tablesOf("public");
  expect(tables).toContain("studio_workflows");
  for (const name of tables) {
    const seen = await request<{ owner: string }>("authenticated", alice, `select owner from public.${name}`);
    expect(new Set(Array.from(seen, (row) => row.owner)), name).toEqual(new Set([alice.userId]));
    const { rights, change } = sampleOf(name);
    const written = Object.keys(change)[0] ?? "";
    const changed = request(
      "authenticated",
      alice,
      `update public.${name} set ${written} = ${written} returning owner`,
    );
    if (rights.update) {
      expect(new Set((await changed).map((row) => Reflect.get(row, "owner"))), name).toEqual(new Set([alice.userId]));
    } else {
      await expect(changed, name).rejects.toMatchObject({ code: "42501" });
    }
    for (const statement of [`select owner from public.${name}`, `delete from public.${name}`]) {
      await expect(request("anon", alice, statement), name).rejects.toMatchObject({ code: "42501" });
    }
    await expect(api.unsafe(`select owner from public.${name}`), name).rejects.toMatchObject({ code: "42501" });
  }
  for (const name of await tablesOf("private")) {
    for (const role of ["anon", "authenticated", "service_role"]) {
      await expect(request(role, alice, `select from private.${name}`)).rejects.toMatchObject({ code: "42501" });
    }
  }
  const open = await project.run(`
    select proname from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and has_function_privilege('anon', oid, 'execute')`);
  expect(Array.from(open)).toEqual([]);
});

test("S37 Realtime tells the owner of a run that follows it, nobody else, and no more than five times a second", async () => {
  const [row] = await ground.sql<{ id: string }>(
    "update public.studio_runs set source = 'manual' where owner = $1 returning id",
    [alice.userId],
  );
  const id = row?.id ?? "";
  const follow = async (user: typeof alice) =>
    (await request<{ told: boolean }>("authenticated", user, `select public.studio_watch_run('${id}') as told`))[0]
      ?.told;
  const change = () =>
    ground.sql(
      `do $$ begin for time in 1..20 loop update public.studio_runs set lease_until = now() where id = '${id}'; end loop; end $$`,
      [],
    );
  const messages = () => project.run("select topic, event, payload, private from realtime.messages");
  expect(await follow(bob)).toBe(false);
  await change();
  expect(await messages()).toEqual([]);
  expect(await follow(alice)).toBe(true);
  await change();
  const topic = `studio-run:${id}`;
  expect(await messages()).toEqual([{ topic, event: "changed", payload: {}, private: true }]);

  const joining = (user: typeof alice, statement: string) =>
    request("authenticated", user, `set local realtime.topic to '${topic}'; ${statement}`);
  const reads = async (user: typeof alice) => {
    const answers: unknown = await joining(user, "select topic from realtime.messages where extension = 'broadcast'");
    return Array.isArray(answers) ? (answers.at(-1) as unknown[]).length : undefined;
  };
  expect([await reads(alice), await reads(bob)]).toEqual([1, 0]);
  const write = `insert into realtime.messages (topic, extension, event) values ('${topic}', 'broadcast', 'changed')`;
  await expect(joining(alice, write)).rejects.toMatchObject({ code: "42501" });
});

test("S65 the auth server deletes a user with everything that is theirs, and nothing else", async () => {
  const count = async ({ userId }: typeof alice) => {
    const counts: Record<string, number> = {};
    for (const name of await tablesOf("public")) {
      const [row] = await ground.sql<{ rows: number }>(
        `select count(*)::integer as rows from public.${name} where owner = $1`,
        [userId],
      );
      counts[name] = row?.rows ?? 0;
    }
    return counts;
  };
  const ofBob = await count(bob);
  expect(Object.values(ofBob).every((rows) => rows > 0)).toBe(true);
  const authServer = connect("supabase_auth_admin");
  try {
    expect(await authServer`delete from users where id = ${alice.userId} returning id`).toHaveLength(1);
  } finally {
    await authServer.end({ timeout: 1 });
  }
  expect(Object.values(await count(alice)).every((rows) => rows === 0)).toBe(true);
  expect(await count(bob)).toEqual(ofBob);
});
