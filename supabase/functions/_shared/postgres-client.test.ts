import { SignJWT } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SignedIn, signUp } from "../../local/testing/clients.ts";
import { startTestStack, type TestStack } from "../../local/testing/start-stack.ts";
import { addVectors } from "../../local/database/postgres/testing/vector-stand-in.ts";
import { createPostgresClient } from "./postgres-client.ts";
import type { SupabaseClient } from "./supabase-client.ts";
import { type PostgresServer, startPostgresServer } from "./testing/postgres-server.ts";

const password = "test-key-functions-role-0123456789";

let server: PostgresServer;
let stack: TestStack;
let user: SignedIn;
let client: SupabaseClient;

const environment = { publicKeys: { keys: [{ kty: "EC", kid: "test-key" }] } } as unknown as Parameters<
  typeof createPostgresClient
>[1];

beforeAll(async () => {
  server = await startPostgresServer();
  await addVectors(server);
  stack = await startTestStack({ databaseUrl: server.url, log: () => {} });
  user = await signUp(stack);
  await server.run(`create role functions login noinherit password '${password}';
    grant authenticated, service_role to functions`);
  client = createPostgresClient(server.urlOf("functions", password), environment);
});

afterAll(async () => {
  await stack?.stop();
  await server?.stop();
});

const tokenOf = (userId: string): Promise<string> =>
  new SignJWT({ role: "authenticated", switchyard: "worker" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime("10 minutes")
    .sign(new TextEncoder().encode(stack.jwtSecret));

const columns = "id,owner,name,type,last_four,allowed_hosts,key_version,settings";

/** Stores a credential as the function does. */
async function save(owner: string, name: string, id = crypto.randomUUID()): Promise<string> {
  await client.callAsService("studio_save_credential", {
    p_id: id,
    p_owner: owner,
    p_name: name,
    p_type: "openai",
    p_last_four: null,
    p_allowed_hosts: ["api.openai.com"],
    p_key_version: 1,
    p_iv: "aXY=",
    p_ciphertext: "Y2lwaGVy",
    p_settings: { note: `it's "quoted" \\ {{braces}} ü` },
  });
  return id;
}

it("S40 reads, changes and deletes as a user what is that user's alone", async () => {
  const other = await signUp(stack);
  const [own, foreign] = [await save(user.userId, "Mine"), await save(other.userId, "Theirs")];
  const token = await tokenOf(user.userId);
  const read = (id: string) => client.selectAsUser(token, "studio_credentials", columns, { id: `eq.${id}` });
  expect(await read(own)).toMatchObject([
    { id: own, owner: user.userId, name: "Mine", settings: { note: `it's "quoted" \\ {{braces}} ü` } },
  ]);
  expect(await read(own.toUpperCase())).toHaveLength(1);
  expect(await read(foreign)).toEqual([]);
  const change = (id: string, name: string) =>
    client.updateAsUser(token, "studio_credentials", "id,name", { id: `eq.${id}` }, { name, settings: {} });
  const odd = `'); drop table studio_credentials; -- ü`;
  expect(await change(own, odd)).toEqual([{ id: own, name: odd }]);
  expect(await change(foreign, "taken")).toEqual([]);
  const remove = (id: string) => client.deleteAsUser(token, "studio_credentials", "id", { id: `eq.${id}` });
  expect(await remove(foreign)).toEqual([]);
  expect(await remove(own)).toEqual([{ id: own }]);
  const left = await stack.sql("select name from studio_credentials where owner = any($1)", [
    [user.userId, other.userId],
  ]);
  expect(left).toEqual([{ name: "Theirs" }]);
});

it("S46 the role by itself may touch no table", async () => {
  const rights = await server.run(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'p')
       and has_table_privilege('functions', c.oid, 'select, insert, update, delete')`,
  );
  expect(rights).toEqual([]);
});

it("calls functions of the database with the arguments that are given, at once and one after the other", async () => {
  const id = await save(user.userId, "Kept");
  const asked = { p_id: id, p_owner: user.userId };
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => client.callAsService("studio_read_credential_secret", asked, "reads")),
  );
  for (const answer of answers) expect(answer).toMatchObject([{ iv: "aXY=", key_version: 1 }]);
  expect(
    await client.callAsService("studio_read_credential_secret", { ...asked, p_owner: crypto.randomUUID() }),
  ).toEqual([]);
  const begun = await client.callAsService("studio_begin_call", {
    p_owner: user.userId,
    p_session: null,
    p_bucket: "test",
    p_per_minute: 10,
    p_max: 1,
    p_ttl_seconds: 60,
    p_leave: [],
    p_credential: id,
  });
  expect(begun).toMatchObject({ slot: expect.any(String), credential: { id, ciphertext: "Y2lwaGVy" } });
  const { slot } = begun as { slot: string };
  expect(await client.callAsService("studio_leave_slots", { p_slots: [slot] })).toBeNull();
});

it("what the database refuses has its code, and what is unknown is refused here", async () => {
  const call = (name: string, parameters: object) =>
    client.callAsService(name, { ...parameters }).then(
      () => null,
      (error: unknown) => error,
    );
  expect(await call("studio_no_such_function", {})).toMatchObject({ status: 404, code: "42883" });
  expect(await call("studio_due_blobs", { p_other: 1 })).toMatchObject({ status: 404, code: "42883" });
  expect(await call("studio_due_blobs", { p_limit: "many" })).toMatchObject({ status: 400, code: "22P02" });
  const { userId } = await signUp(stack);
  await save(userId, "First");
  await stack.sql("select public.studio_set_quota('rows', 1)");
  const full: unknown = await save(userId, "Second").catch((error: unknown) => error);
  expect(full).toMatchObject({ isFull: true, isRead: false });
  await stack.sql("select public.studio_set_quota('rows', 1000000)");
});

it("S57 a server that is away is told as such, and is found again", async () => {
  const asked = { p_limit: 1 };
  await server.restart(async () => {
    const failure: unknown = await client
      .callAsService("studio_due_blobs", asked, "reads")
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 503, isRead: true });
  });
  await expect
    .poll(() => client.callAsService("studio_due_blobs", asked, "reads").catch(() => "away"), { timeout: 20_000 })
    .toEqual([]);
});

it("shows no tokens to anybody: keys are those that it was given", async () => {
  expect(await client.readUser("token")).toBeNull();
  expect(await client.readSigningKeys()).toEqual({ keys: [{ kty: "EC", kid: "test-key" }] });
  expect(await client.openLiveAnswer("run", new AbortController().signal)).toBeNull();
});
