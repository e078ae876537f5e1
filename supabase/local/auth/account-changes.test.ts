import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createTestClient, type SignedIn, signUp } from "../testing/clients.ts";
import { plant, sampleOf } from "../testing/sample-rows.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
afterAll(() => stack.stop());

/** As the site makes one where there is no anonymous sign-in. */
async function enterAsGuest(): Promise<SignedIn> {
  const client = createTestClient(stack);
  const email = `guest-${randomUUID().slice(0, 8)}@guest.local`;
  const password = randomUUID();
  const { data, error } = await client.auth.signUp({ email, password });
  if (error || !data.session || !data.user) throw error ?? new Error("A guest gets a session.");
  return { client, email, password, userId: data.user.id, accessToken: data.session.access_token };
}

const freshEmail = () => `${randomUUID()}@example.test`;
const signIn = (email: string, password: string) =>
  createTestClient(stack).auth.signInWithPassword({ email, password });
const mayRead = async ({ client }: Pick<SignedIn, "client">) =>
  (await client.from("studio_workflows").select("id")).error === null;

describe("a guest who becomes an account", () => {
  test("keeps every row of every table, and the session", async () => {
    const guest = await enterAsGuest();
    const tables = await stack.sql<{ schema: string; name: string }>(`
      select n.nspname as schema, c.relname as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner'
      where c.relkind in ('r', 'p') order by 1, 2`);
    for (const { name } of tables.filter(({ schema }) => schema === "public")) await plant(stack, name, guest);
    const held = async () =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async ({ schema, name }) => [
            `${schema}.${name}`,
            await stack.sql(`select to_jsonb(t) as row from ${schema}.${name} t where owner = $1 order by t::text`, [
              guest.userId,
            ]),
          ]),
        ),
      );
    const before = await held();
    for (const { schema, name } of tables.filter((table) => table.schema === "public")) {
      expect(before[`${schema}.${name}`], name).not.toEqual([]);
      expect(sampleOf(name)).toBeDefined();
    }

    const email = freshEmail();
    const { data, error } = await guest.client.auth.updateUser({ email, password: "a-new-test-password" });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ id: guest.userId, email, user_metadata: { email } });
    expect(await held()).toEqual(before);
    expect(await mayRead(guest)).toBe(true);
    expect((await guest.client.auth.refreshSession()).data.user?.email).toBe(email);

    expect((await signIn(email, "a-new-test-password")).data.user?.id).toBe(guest.userId);
    expect((await signIn(guest.email, guest.password)).error?.code).toBe("invalid_credentials");
  });

  test("S65 ends the guest's other sessions", async () => {
    const guest = await enterAsGuest();
    const other = createTestClient(stack);
    await other.auth.signInWithPassword(guest);
    expect(await mayRead({ client: other })).toBe(true);
    await guest.client.auth.updateUser({ email: freshEmail(), password: "a-new-test-password" });
    expect(await mayRead({ client: other })).toBe(false);
    expect((await other.auth.refreshSession()).error).not.toBeNull();
    expect(await mayRead(guest)).toBe(true);
  });

  test.each([
    ["an address that is no address", { email: "ada", password: "a-new-test-password" }, "email_address_invalid"],
    ["an address of guests", { email: "x@GUEST.local", password: "a-new-test-password" }, "email_address_invalid"],
    ["a short password", { email: "ada@example.test", password: "short" }, "weak_password"],
    [
      "a password longer than bcrypt reads",
      { email: "ada@example.test", password: "ä".repeat(40) },
      "validation_failed",
    ],
    ["no password", { email: "ada@example.test" }, "validation_failed"],
    ["no address", { password: "a-new-test-password" }, "validation_failed"],
  ])("with %s stays a guest", async (_what, asked, code) => {
    const guest = await enterAsGuest();
    expect((await guest.client.auth.updateUser(asked)).error?.code).toBe(code);
    expect((await signIn(guest.email, guest.password)).data.user?.email).toBe(guest.email);
  });

  test("S65 gets no address of another account, and cannot try many", async () => {
    const { email } = await signUp(stack);
    const guest = await enterAsGuest();
    const ask = async () =>
      (await guest.client.auth.updateUser({ email: email.toUpperCase(), password: "a-new-test-password" })).error?.code;
    for (let time = 0; time < 5; time += 1) expect(await ask()).toBe("email_exists");
    expect(await ask()).toBe("over_request_rate_limit");
    expect((await signIn(guest.email, guest.password)).error).toBeNull();
  });

  test("an account becomes no other", async () => {
    const user = await signUp(stack);
    const { error } = await user.client.auth.updateUser({ email: freshEmail() });
    expect(error?.code).toBe("email_provider_disabled");
    expect((await signIn(user.email, user.password)).error).toBeNull();
  });
});

describe("a password that is changed", () => {
  test("S65 asks for the current one, and ends the other sessions", async () => {
    const user = await signUp(stack);
    const other = await signIn(user.email, user.password);
    const tokenOf = () => fetchAs(other.data.session?.access_token ?? "");
    expect(await tokenOf()).toBe(200);
    const change = (current_password?: string) =>
      user.client.auth.updateUser({
        password: "another-test-password",
        ...(current_password ? { current_password } : {}),
      });
    expect((await change()).error?.code).toBe("current_password_required");
    expect((await change("not-the-password")).error?.code).toBe("current_password_invalid");
    expect(await tokenOf()).toBe(200);

    expect((await change(user.password)).error).toBeNull();
    expect(await tokenOf()).toBe(401);
    expect(await mayRead(user)).toBe(true);
    const sessions = await stack.sql("select id from auth.sessions where user_id = $1", [user.userId]);
    expect(sessions).toHaveLength(1);
    expect((await signIn(user.email, user.password)).error?.code).toBe("invalid_credentials");
    expect((await signIn(user.email, "another-test-password")).data.user?.id).toBe(user.userId);
  });

  test("is not the same, nor too short", async () => {
    const user = await signUp(stack);
    const change = async (password: string) =>
      (await user.client.auth.updateUser({ password, current_password: user.password })).error?.code;
    expect(await change(user.password)).toBe("same_password");
    expect(await change("short")).toBe("weak_password");
  });

  test("S65 is no way to guess the current one", async () => {
    const user = await signUp(stack);
    const codes: (string | undefined)[] = [];
    for (let time = 0; time < 8; time += 1) {
      const asked = { password: "another-test-password", current_password: `guess-${time}` };
      codes.push((await user.client.auth.updateUser(asked)).error?.code);
    }
    expect(codes.at(-1)).toBe("over_request_rate_limit");
  });

  test("S11 needs a session", async () => {
    const headers = { apikey: stack.key, "content-type": "application/json" };
    const body = JSON.stringify({ password: "another-test-password", current_password: "guess" });
    const answer = await fetch(`${stack.url}/auth/v1/user`, { method: "PUT", headers, body });
    expect(answer.status).toBe(401);
  });

  test("other facts of an account are changed as before", async () => {
    const user = await signUp(stack);
    const { data } = await user.client.auth.updateUser({ data: { name: "Ada" } });
    expect(data.user?.user_metadata).toMatchObject({ name: "Ada" });
  });
});

const fetchAs = (token: string) =>
  fetch(`${stack.url}/rest/v1/studio_workflows?select=id`, {
    headers: { apikey: stack.key, authorization: `Bearer ${token}` },
  }).then(({ status }) => status);
