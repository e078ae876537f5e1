import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { signUp, type SignedIn } from "../../local/testing/clients.ts";
import { type SharedStack, sharedTestStack } from "../../local/testing/shared-stack.ts";
import { callFunction, saveTestCredential } from "../_shared/testing/call-function.ts";
import { testPassword, startTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let stack: SharedStack;
let database: TestDatabase;
let alice: SignedIn;
let bob: SignedIn;
/** Every line that the stack and its functions logged. */
const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);

beforeAll(async () => {
  [stack, database] = await Promise.all([sharedTestStack(), startTestDatabase()]);
  alice = await signUp(stack);
  bob = await signUp(stack);
});

afterAll(() => database.stop());

const save = (user: SignedIn, draft: Record<string, unknown> = {}, role = "keeper", password = testPassword) =>
  saveTestCredential(stack, user.accessToken, {
    type: "postgres",
    fields: { connectionString: database.urlOf(role, password), tls: false },
    ...draft,
  });

const call = (user: SignedIn, credential: string, request: Record<string, unknown>) =>
  callFunction(stack, "sql-tool", user.accessToken, { credential, ...request });

const credentials = async (user: SignedIn, body: Record<string, unknown>) =>
  (await callFunction(stack, "credentials", user.accessToken, body)).json;

const some = { operation: "select", table: "orders", columns: ["id"], where: { sql: "id < $1", parameters: [3] } };

describe("sql-tool in Deno, with a stored credential", () => {
  test("reads and writes", async () => {
    const credential = await save(alice);
    const read = await call(alice, credential, some);
    expect(read).toMatchObject({ status: 200, json: { success: true, data: [{ id: 1 }, { id: 2 }] } });
    const rows = [{ id: 900, note: 'it\'s -- "new" $1' }];
    const written = await call(alice, credential, { operation: "insert", table: "orders", rows, returning: ["note"] });
    expect(written.json).toMatchObject({ success: true, affectedRows: 1, data: [{ note: rows[0]?.note }] });
  });

  test("S40 takes no credential but the caller's own", async () => {
    const stolen = await call(bob, await save(alice), some);
    expect(stolen).toMatchObject({ status: 400, json: { error: { code: "invalid_credentials" } } });
  });

  test("holds to the settings that the owner saved, and shows them again", async () => {
    const settings = { schemaHints: true, tables: ["orders"] };
    const credential = await save(alice, { settings });
    const { data } = await alice.client.from("studio_credentials").select("settings").eq("id", credential).single();
    expect(data).toEqual({ settings });
    const described = await call(alice, credential, { operation: "describe" });
    expect(described.json["tables"]).toMatchObject([{ table: "orders" }]);
    const other = await call(alice, credential, { operation: "select", table: "customers" });
    expect(other.json).toMatchObject({ success: false, errorType: "permission_denied" });
    const change = { action: "save", id: credential, name: "Renamed", type: "postgres", settings: { tables: [] } };
    expect(await credentials(alice, change)).toMatchObject({ settings: { schemaHints: false, tables: [] } });
    expect((await call(alice, credential, { operation: "select", table: "customers" })).json["success"]).toBe(true);
    expect((await call(alice, credential, { operation: "describe" })).json["success"]).toBe(false);
    const kept = await credentials(alice, { ...change, settings: undefined, name: "Again" });
    expect(kept).toMatchObject({ name: "Again", settings: { schemaHints: false, tables: [] } });
  });

  test("fails closed on settings that are none", async () => {
    const credential = await save(alice, { settings: { tables: ["orders"] } });
    await stack.sql(`update public.studio_credentials set settings = '{"tables": "all"}' where id = $1`, [credential]);
    expect((await call(alice, credential, some)).json["error"]).toMatchObject({ code: "invalid_credentials" });
    const wrong = { action: "save", name: "x", type: "postgres", fields: {}, settings: { tables: "all" } };
    expect((await credentials(alice, wrong))["error"]).toMatchObject({ code: "invalid_config" });
  });

  test("S43 S20 a wrong password is neither shown nor logged", async () => {
    const wrong = await save(alice, {}, "keeper", "test-key-wrong-0123456789");
    const answer = await call(alice, wrong, some);
    expect(answer.json).toMatchObject({ success: false, errorType: "authentication_error", sqlState: "28P01" });
    const lines = JSON.stringify(logged.mock.calls);
    for (const text of [answer.text, lines]) {
      expect(text).not.toMatch(/test-key|127\.0\.0\.1:\d+\/postgres/);
    }
  });

  test("S1 refuses a private address, and does not repeat it", async () => {
    const inside = await save(alice, {
      fields: { connectionString: "postgresql://a:test-key-b@10.0.0.1/x", tls: true },
    });
    const answer = await call(alice, inside, some);
    expect(answer).toMatchObject({ status: 403, json: { error: { code: "blocked_address" } } });
    expect(answer.text).not.toContain("10.0.0.1");
  });

  test("the credential's test button asks Postgres itself, and says why it failed", async () => {
    const ask = async (id: string) => credentials(alice, { action: "test", id });
    expect(await ask(await save(alice))).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^PostgreSQL [\d.]+ answered and accepted the credential\.$/),
    });
    expect(await ask(await save(alice, {}, "keeper", "test-key-wrong-0123456789"))).toMatchObject({
      ok: false,
      message: expect.stringContaining("did not accept"),
    });
    const admin = await save(alice, { fields: { connectionString: database.url, tls: false } });
    expect(await ask(admin)).toMatchObject({ ok: true, hint: expect.stringContaining("few rights") });
  });

  test("a caller that goes away cancels the statement in the database", async () => {
    const credential = await save(alice);
    const controller = new AbortController();
    const slow = "select count(*) from orders a, orders b, orders c, orders d";
    const request = fetch(`${stack.url}/functions/v1/sql-tool`, {
      method: "POST",
      headers: { apikey: stack.key, authorization: `Bearer ${alice.accessToken}` },
      body: JSON.stringify({ credential, operation: "execute", sql: slow, timeoutMs: 60_000 }),
      signal: controller.signal,
    });
    const running = () =>
      database.run("select pid from pg_stat_activity where application_name = 'switchyard' and state = 'active'");
    await expect.poll(async () => (await running()).length).toBe(1);
    controller.abort();
    await expect(request).rejects.toThrow("aborted");
    // Well before the statement's own time limit, which would end it as well.
    await expect.poll(async () => (await running()).length).toBe(0);
  });

  test("answers 400 to a request that is not valid", async () => {
    expect((await call(alice, "x", { operation: "drop" })).status).toBe(400);
  });
});
