import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PgliteConnection } from "@supabase/lite/pglite";
import { prepareDataDirectory } from "./data-directory.ts";
import { prepareDatabaseFiles } from "./database-files.ts";
import { openDatabase } from "./database.ts";
import { type InstanceKeys, loadKeys } from "./keys.ts";
import { startSupabaseApi, type SupabaseApi } from "./supabase-api.ts";

const root = await mkdtemp(join(tmpdir(), "switchyard-api-"));
const migrations = join(root, "migrations");
let connection: PgliteConnection;
let keys: InstanceKeys;
let api: SupabaseApi;

const start = () => startSupabaseApi(connection, { keys, siteUrl: "http://127.0.0.1", migrations });

beforeAll(async () => {
  await mkdir(migrations);
  await writeFile(join(migrations, "1_first.sql"), "create table public.notes (id integer primary key);");
  await writeFile(
    join(migrations, "2_second.sql"),
    `alter table public.notes enable row level security;
     create policy nobody on public.notes for select to authenticated using (id < 0);
     insert into public.notes values (1), (2);
     create function public.add(p_a integer, p_words text[] default '{}', p_value jsonb default null) returns jsonb language sql as
       $$ select jsonb_build_object('a', p_a, 'words', p_words, 'value', p_value, 'role', current_setting('role'),
                                    'claims', current_setting('request.jwt.claims')::jsonb) $$;
     create function public.forget() returns void language sql as 'delete from public.notes where id > 2';
     create function public.keep(p_id integer) returns text language sql as
       $$ insert into public.notes values (p_id) returning 'kept' $$;`,
  );
  const directory = await prepareDataDirectory(join(root, "data"));
  keys = await loadKeys(directory.keys, { mayCreate: true });
  await prepareDatabaseFiles(directory);
  connection = await openDatabase(directory.database);
  api = await start();
});

afterAll(async () => {
  await connection.close();
  await rm(root, { recursive: true, force: true });
});

function get(path: string, apikey: string): Promise<Response> {
  return api(new Request(`http://127.0.0.1${path}`, { headers: { apikey } }));
}

async function recorded(): Promise<unknown> {
  const { rows } = await connection.driver.query(
    "select version, name from supabase_migrations.schema_migrations order by version",
  );
  return rows;
}

test("S37 requests of different roles at the same moment keep their roles", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const response = await get("/rest/v1/notes?select=id", index % 2 ? keys.secretKey : keys.publishableKey);
      return response.json();
    }),
  );
  answers.forEach((answer, index) => expect(answer).toEqual(index % 2 ? [{ id: 1 }, { id: 2 }] : []));
});

test("migrations are applied in order, once, and recorded", async () => {
  expect(await recorded()).toEqual([
    { version: "1", name: "first" },
    { version: "2", name: "second" },
  ]);
  api = await start();
  expect(await (await get("/rest/v1/notes?select=id", keys.secretKey)).json()).toHaveLength(2);
});

test("a migration that fails is named, rolled back as a whole, and leaves the data", async () => {
  const broken = join(migrations, "3_broken.sql");
  await writeFile(broken, "insert into public.notes values (3); insert into public.nowhere values (1);");
  await expect(start()).rejects.toThrow(/3_broken\.sql failed: relation "public\.nowhere" does not exist/);
  await rm(broken);
  expect(await recorded()).toHaveLength(2);
  expect((await connection.driver.query("select id from public.notes")).rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test("data of a newer version are refused, and nothing is changed", async () => {
  const insert = "insert into supabase_migrations.schema_migrations (version, name) values ('9', 'of_tomorrow')";
  await connection.driver.query(insert);
  await expect(start()).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringContaining("newer version of Switchyard (its database has the migration 9)"),
  });
  await connection.driver.query("delete from supabase_migrations.schema_migrations where version = '9'");
  await expect(start()).resolves.toBeDefined();
});

test("timestamps are ISO dates, as PostgREST writes them", async () => {
  const { rows } = await connection.driver.query("select '2026-01-02 03:04:05.678+00'::timestamptz as at");
  expect(rows).toEqual([{ at: "2026-01-02T03:04:05.678+00:00" }]);
});

test("S37 calls with the service key are answered as others are, with the same role, values and errors", async () => {
  const call = async (name: string, values: object, headers: Record<string, string> = {}) => {
    const body = JSON.stringify(values);
    const url = `http://127.0.0.1/rest/v1/rpc/${name}`;
    const given = { apikey: keys.secretKey, "content-type": "application/json", ...headers };
    const response = await api(new Request(url, { method: "POST", headers: given, body }));
    const text = await response.text();
    return [response.status, text === "" ? null : JSON.parse(text)];
  };
  // With this the API library answers.
  const roundabout = { prefer: "count=none" };
  for (const values of [
    { p_a: 1 },
    { p_a: "2", p_words: ["a", 'b,"c"'], p_value: { deep: [1, null, "x"] } },
    { p_a: null, p_words: null, p_value: null },
    { p_a: "seven" },
    { p_b: 1 },
    {},
  ]) {
    const direct = await call("add", values);
    expect(direct, JSON.stringify(values)).toEqual(await call("add", values, roundabout));
  }
  expect(await call("add", { p_a: 1 })).toMatchObject([
    200,
    { role: "service_role", claims: { role: "service_role" } },
  ]);
  expect(await call("forget", {})).toEqual([204, null]);
  expect(await call("keep", { p_id: 7 })).toEqual([200, "kept"]);
  expect(await call("keep", { p_id: 7 })).toEqual(await call("keep", { p_id: 7 }, roundabout));
  expect(await call("forget", {})).toEqual([204, null]);
  expect(await call("none", {})).toMatchObject([404, { code: "PGRST202" }]);
  const counted = await connection.driver.query(
    "select current_user as role, count(*)::int as notes from public.notes",
  );
  expect(counted.rows).toEqual([{ role: "postgres", notes: 2 }]);
});
