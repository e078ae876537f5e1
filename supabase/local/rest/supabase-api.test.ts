import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PgliteConnection } from "@supabase/lite/pglite";
import { prepareDataDirectory } from "../database/data-directory.ts";
import { prepareDatabaseFiles } from "../database/database-files.ts";
import { openDatabase } from "../database/database.ts";
import { type InstanceKeys, loadKeys } from "../database/keys.ts";
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
     create function public.words(p_from integer) returns table (id integer, word text) language sql as
       $$ select number, 'word ' || number from generate_series(p_from, 1500) as number $$;
     create function public.numbers() returns setof integer language sql as 'values (1), (2)';
     create table public.things (id uuid primary key, name text, size double precision, big bigint, share real, day date,
                                 made timestamptz, flag boolean, document jsonb, tags text[], owner uuid default auth.uid());
     alter table public.things enable row level security;
     create policy own on public.things to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
     create table public.prices (price numeric);
     insert into public.prices values (1.10), (9999999.99);
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

test("the database brings the extensions that the migrations create, and no others", async () => {
  const asked = "select name from pg_available_extensions order by name";
  const { rows } = await connection.driver.query<{ name: string }>(asked);
  expect(rows.map(({ name }) => name)).toEqual(["btree_gin", "pg_trgm", "plpgsql", "vector"]);
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

describe("what a signed-in user asks", () => {
  let token: string;
  let other: string;

  async function signUp(email: string): Promise<string> {
    const headers = { apikey: keys.publishableKey, "content-type": "application/json" };
    const body = JSON.stringify({ email, password: "test-password" });
    const response = await api(new Request("http://127.0.0.1/auth/v1/signup", { method: "POST", headers, body }));
    return (await response.json()).access_token;
  }

  beforeAll(async () => {
    [token, other] = [await signUp("own@example.test"), await signUp("other@example.test")];
    await connection.driver.query(
      `insert into public.things
       select gen_random_uuid(), names.name, number * 1.1, 9007199254740991 - number, number / 3.0, date '2026-01-01' + number,
              timestamptz '2026-01-02 03:04:05.678+00' + number * interval '1 second', number % 2 = 0,
              jsonb_build_object('n', number, 'text', 'a "b" \\ c'), array['x', 'y, z'], users.id
       from auth.users as users, unnest(array['plain', 'it''s', 'a,b', null]) with ordinality as names (name, place),
            lateral (select place::integer as number) as numbered`,
    );
  });

  async function ask(path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) {
    const headers = { apikey: keys.publishableKey, authorization: `Bearer ${token}`, ...init.headers };
    const response = await api(new Request(`http://127.0.0.1/rest/v1/${path}`, { ...init, headers }));
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      range: response.headers.get("content-range"),
      body: text === "" ? null : JSON.parse(text),
    };
  }

  /** The same, with a preference that changes nothing: with it, the API library answers. */
  const askLibrary = (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) =>
    ask(path, { ...init, headers: { ...init.headers, prefer: "count=none" } });

  test.each([
    "things",
    "things?select=*&order=size",
    "things?select=size,name,document&order=name.desc.nullslast,size.asc&limit=2&offset=1",
    "things?name=eq.it's&select=name",
    "things?name=eq.a,b",
    "things?name=is.null",
    "things?name=in.(plain,it's)&order=size.desc",
    'things?name=in.("a,b",plain)&order=size.desc',
    "things?name=not.is.null&order=size",
    "things?name=like.*a*&order=size",
    "things?or=(name.eq.plain,flag.is.true)&order=size",
    "things?flag=is.true&size=gte.2.2&size=lt.4&order=made.desc",
    "things?flag=neq.true&order=size",
    "things?made=gt.2026-01-02T03:04:06Z&day=lte.2026-01-04&order=made",
    "things?big=eq.9007199254740989",
    "things?id=eq.00000000-0000-0000-0000-000000000000",
    "things?limit=0",
    "things?offset=2&order=size",
    "things?tags=eq.{x}",
    "things?id=eq.no-uuid",
    "things?size=gt.many",
    "things?no_such=eq.1",
    "things?select=no_such",
    "things?order=no_such",
    "things?order=size.sideways",
    "things?limit=many",
    "no_such",
    "notes",
  ])("S37 %s is answered as the library answers it", async (path) => {
    expect(await ask(path)).toEqual(await askLibrary(path));
  });

  test("numbers of any precision are numbers, as PostgREST writes them", async () => {
    expect((await ask("prices?order=price")).body).toEqual([{ price: 1.1 }, { price: 9999999.99 }]);
  });

  test("S37 shows nobody the rows of others", async () => {
    const asOther = { headers: { authorization: `Bearer ${other}` } };
    const [own, others] = [await ask("things?select=id"), await ask("things?select=id", asOther)];
    expect([own.body.length, others.body.length]).toEqual([4, 4]);
    expect(own.body).not.toEqual(expect.arrayContaining(others.body));
  });

  test.each([
    ["add", { p_a: 1, p_words: ["a"], p_value: null }],
    ["add", { p_a: "seven" }],
    ["add", { p_c: 1 }],
    ["words", { p_from: 1_498 }],
    ["words", { p_from: 1 }],
    ["words", { p_from: 2_000 }],
    ["numbers", {}],
    ["keep", { p_id: 8 }],
    ["no_such", {}],
  ])("S37 the function %s is answered with %j as the library answers it", async (name, values) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values) };
    const { range: _range, ...direct } = await ask(`rpc/${name}`, init);
    const { range: _other, ...usual } = await askLibrary(`rpc/${name}`, init);
    expect(direct).toEqual(usual);
  });

  const sign = (claims: object, secret = keys.jwtSecret) =>
    new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(new TextEncoder().encode(secret));

  test("S37 claims stay claims, whatever text they hold", async () => {
    const odd = `it's "q" \\ $$ ', true); set role postgres; -- \u0000 \n é`;
    const authorization = `Bearer ${await sign({ user_metadata: { odd } })}`;
    const headers = { authorization, "content-type": "application/json" };
    const { body } = await ask("rpc/add", { method: "POST", headers, body: JSON.stringify({ p_value: odd }) });
    expect(body.code).toBeDefined();
    const plain = odd.replace("\u0000", "");
    const given = { ...headers, authorization: `Bearer ${await sign({ user_metadata: { odd: plain } })}` };
    const answer = await ask("rpc/add", { method: "POST", headers: given, body: JSON.stringify({ p_a: 1 }) });
    expect(answer.body).toMatchObject({ role: "authenticated", claims: { user_metadata: { odd: plain } } });
  });

  test("S11 a token that has expired, one of another studio, and one with another's key are refused", async () => {
    const soon = Math.floor(Date.now() / 1_000) + 60;
    const wrong: Record<string, string>[] = [
      { authorization: `Bearer ${await sign({ exp: soon - 120 })}` },
      { authorization: `Bearer ${await sign({ exp: soon }, `test-key-${keys.jwtSecret}`)}` },
      { apikey: "test-key-none" },
    ];
    for (const headers of wrong) expect((await ask("things", { headers })).status).toBe(401);
    const right = { authorization: `Bearer ${await sign({ exp: soon })}` };
    expect((await ask("things", { headers: right })).status).toBe(200);
  });
});
