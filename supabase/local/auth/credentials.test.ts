import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createTestClient, signUp } from "../testing/clients.ts";
import { startTestStack } from "../testing/start-stack.ts";

const stack = await startTestStack();
const [alice, bob] = [await signUp(stack), await signUp(stack)];
const service = createTestClient({ url: stack.url, key: stack.serviceKey });
afterAll(() => stack.stop());

function save(owner: string, values: Record<string, unknown> = {}) {
  return service.rpc("studio_save_credential", {
    p_id: null,
    p_owner: owner,
    p_name: "My key",
    p_type: "openai",
    p_last_four: "wxyz",
    p_allowed_hosts: ["api.openai.com"],
    p_key_version: 1,
    p_iv: "test-iv",
    p_ciphertext: "test-ciphertext",
    ...values,
  });
}

function read(id: unknown, owner: string, client = service) {
  return client.rpc("studio_read_credential_secret", { p_id: id, p_owner: owner });
}

test("a credential is saved with its secret, shown without it, and read back by the service role", async () => {
  const { data: id, error } = await save(alice.userId);
  expect(error).toBeNull();
  const { data: shown } = await alice.client.from("studio_credentials").select().eq("id", id).single();
  expect(shown).toMatchObject({ name: "My key", type: "openai", last_four: "wxyz", allowed_hosts: ["api.openai.com"] });
  expect(JSON.stringify(shown)).not.toMatch(/test-iv|test-ciphertext/);
  expect((await read(id, alice.userId)).data).toEqual([
    { iv: "test-iv", ciphertext: "test-ciphertext", key_version: 1 },
  ]);
});

test("saving again replaces row and secret together", async () => {
  const { data: id } = await save(alice.userId);
  const again = await save(alice.userId, { p_id: id, p_name: "New name", p_key_version: 2, p_ciphertext: "test-two" });
  expect(again.data).toBe(id);
  const { data } = await alice.client.from("studio_credentials").select("name, key_version").eq("id", id).single();
  expect(data).toEqual({ name: "New name", key_version: 2 });
  expect((await read(id, alice.userId)).data).toEqual([{ iv: "test-iv", ciphertext: "test-two", key_version: 2 }]);
});

test("a renewed secret leaves the name as it is by then, and brings back nothing that was deleted", async () => {
  const { data: id } = await save(alice.userId);
  await alice.client.from("studio_credentials").update({ name: "Renamed" }).eq("id", id);
  const renewed = await save(alice.userId, { p_id: id, p_name: null, p_key_version: 2, p_ciphertext: "test-two" });
  expect(renewed.data).toBe(id);
  const { data } = await alice.client.from("studio_credentials").select("name, key_version").eq("id", id).single();
  expect(data).toEqual({ name: "Renamed", key_version: 2 });
  expect((await read(id, alice.userId)).data).toEqual([{ iv: "test-iv", ciphertext: "test-two", key_version: 2 }]);
  expect((await save(bob.userId, { p_id: id, p_name: null })).error?.code).toBe("42501");
  await alice.client.from("studio_credentials").delete().eq("id", id);
  expect((await save(alice.userId, { p_id: id, p_name: null })).error?.code).toBe("42501");
  expect((await read(id, alice.userId)).data).toEqual([]);
});

test("S37 a credential is neither saved over nor read for another owner", async () => {
  const { data: id } = await save(alice.userId);
  expect((await save(bob.userId, { p_id: id, p_name: "Taken" })).error?.code).toBe("42501");
  expect((await read(id, bob.userId)).data).toEqual([]);
  expect((await read(id, alice.userId)).data).toHaveLength(1);
});

const take = async (owner: string, bucket: string) =>
  (await service.rpc("studio_take_rate_limit", { p_owner: owner, p_bucket: bucket, p_per_minute: 3 })).data;

const enter = async (owner: string) =>
  (await service.rpc("studio_enter_slot", { p_owner: owner, p_bucket: "x", p_max: 2, p_ttl_seconds: 60 })).data;

function begin(owner: string, values: Record<string, unknown> = {}, client = service) {
  return client.rpc("studio_begin_call", {
    p_owner: owner,
    p_session: null,
    p_bucket: "begin",
    p_per_minute: 4,
    p_max: 2,
    p_ttl_seconds: 60,
    p_leave: [],
    p_credential: null,
    ...values,
  });
}

test("S46 no client calls the functions of the service role", async () => {
  const { data: id } = await save(alice.userId);
  const anonymous = createTestClient(stack);
  for (const client of [alice.client, anonymous]) {
    expect((await read(id, alice.userId, client)).error?.code).toBe("42501");
    const limit = { p_owner: alice.userId, p_bucket: "http", p_per_minute: 1 };
    expect((await client.rpc("studio_take_rate_limit", limit)).error?.code).toBe("42501");
    const slot = { p_owner: alice.userId, p_bucket: "http", p_max: 1, p_ttl_seconds: 60 };
    expect((await client.rpc("studio_enter_slot", slot)).error?.code).toBe("42501");
    expect((await client.rpc("studio_leave_slot", { p_slot: randomUUID() })).error?.code).toBe("42501");
    expect((await client.rpc("studio_leave_slots", { p_slots: [randomUUID()] })).error?.code).toBe("42501");
    expect((await begin(alice.userId, { p_credential: id }, client)).error?.code).toBe("42501");
  }
});

test("S46 the secret table cannot be reached through the API, not even by the service role", async () => {
  for (const client of [alice.client, createTestClient(stack), service]) {
    const hidden = await client.schema("private").from("studio_credential_secrets").select();
    expect(hidden.data).toBeNull();
    expect(hidden.error).not.toBeNull();
    const unqualified = await client.from("studio_credential_secrets").select();
    expect(unqualified.data).toBeNull();
    const embedded = await client.from("studio_credentials").select("*, studio_credential_secrets(*)");
    expect(embedded.data).toBeNull();
  }
});

test("renaming is all that a client may change; deleting takes the secret along", async () => {
  const { data: id } = await save(alice.userId);
  const mine = () => alice.client.from("studio_credentials");
  expect((await mine().update({ name: "Renamed" }).eq("id", id).select("name")).data).toEqual([{ name: "Renamed" }]);
  expect(
    (
      await mine()
        .update({ allowed_hosts: ["evil.example"] })
        .eq("id", id)
    ).error?.code,
  ).toBe("42501");
  expect((await mine().update({ type: "http-bearer" }).eq("id", id)).error?.code).toBe("42501");
  expect((await mine().delete().eq("id", id)).error).toBeNull();
  const left = await stack.sql("select 1 from private.studio_credential_secrets where credential_id = $1", [id]);
  expect(left).toEqual([]);
});

test("S10 the rate limit counts per user and bucket and says how long to wait", async () => {
  expect([await take(alice.userId, "a"), await take(alice.userId, "a"), await take(alice.userId, "a")]).toEqual([
    0, 0, 0,
  ]);
  const wait = await take(alice.userId, "a");
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await take(alice.userId, "b")).toBe(0);
  expect(await take(bob.userId, "a")).toBe(0);
  await stack.sql("update private.studio_rate_limits set window_start = window_start - interval '61 seconds'");
  expect(await take(alice.userId, "a")).toBe(0);
});

test("S10 places are limited per user and bucket, and come back by leaving or by time", async () => {
  const places = await Promise.all([enter(alice.userId), enter(alice.userId), enter(alice.userId)]);
  expect(places.filter((place) => place === null)).toHaveLength(1);
  expect(await enter(bob.userId)).not.toBeNull();
  const taken = places.find((place) => place !== null);
  expect((await service.rpc("studio_leave_slot", { p_slot: taken })).error).toBeNull();
  expect(await enter(alice.userId)).not.toBeNull();
  expect(await enter(alice.userId)).toBeNull();
  await stack.sql("update private.studio_slots set expires_at = now() - interval '1 second'");
  expect(await enter(alice.userId)).not.toBeNull();
});

test("S10 a call is begun in one step: places and rate are counted, ended calls give theirs back", async () => {
  const user = await signUp(stack);
  const first = await begin(user.userId);
  expect(first.data).toEqual({ slot: expect.any(String), left: 3, credential: null });
  const second = await begin(user.userId);
  expect((await begin(user.userId)).data).toEqual({ refused: "places" });
  const third = await begin(user.userId, { p_leave: [first.data.slot, second.data.slot] });
  expect(third.data).toMatchObject({ slot: expect.any(String) });
  expect((await begin(user.userId)).data).toEqual({ refused: "rate", wait: expect.any(Number) });
  const left = () => stack.sql("select id from private.studio_slots where owner = $1", [user.userId]);
  expect(await left()).toEqual([{ id: third.data.slot }]);
  expect((await service.rpc("studio_leave_slots", { p_slots: [third.data.slot, randomUUID()] })).error).toBeNull();
  expect(await left()).toEqual([]);
});

test("S10 calls that were let in without being counted are counted with the next one, and with places that are given back", async () => {
  const user = await signUp(stack);
  expect((await begin(user.userId)).data).toMatchObject({ left: 3 });
  expect((await begin(user.userId, { p_uncounted: 1 })).data).toMatchObject({ left: 1 });
  const uncounted = [
    { owner: user.userId, bucket: "begin", calls: 5 },
    { owner: randomUUID(), bucket: "begin", calls: 1 },
  ];
  expect((await service.rpc("studio_leave_slots", { p_slots: [], p_uncounted: uncounted })).error).toBeNull();
  expect((await begin(user.userId)).data).toEqual({ refused: "rate", wait: expect.any(Number) });
  await stack.sql("update private.studio_rate_limits set window_start = window_start - interval '61 seconds'");
  await stack.sql("delete from private.studio_slots where owner = $1", [user.userId]);
  expect((await begin(user.userId, { p_uncounted: 2 })).data).toMatchObject({ left: 1 });
});

test("S37 a call begins with the credential of its owner and with nobody else's", async () => {
  const user = await signUp(stack);
  const { data: id } = await save(user.userId);
  const held = await begin(user.userId, { p_credential: id });
  expect(held.data.credential).toMatchObject({
    id,
    owner: user.userId,
    name: "My key",
    type: "openai",
    allowed_hosts: ["api.openai.com"],
    settings: {},
    iv: "test-iv",
    ciphertext: "test-ciphertext",
    secret_key_version: 1,
  });
  expect((await begin(bob.userId, { p_credential: id })).data.credential).toBeNull();
});

test("S11 no call begins for a session that has ended, a user who is banned, or one who is gone, and none is counted", async () => {
  const user = await signUp(stack);
  const [session] = await stack.sql<{ id: string }>("select id from auth.sessions where user_id = $1", [user.userId]);
  const p_session = session?.id;
  const refused = { refused: "session" };
  expect((await begin(user.userId, { p_session })).data).toMatchObject({ slot: expect.any(String) });
  expect((await begin(bob.userId, { p_session })).data).toEqual(refused);
  await stack.sql("update auth.users set banned_until = now() + interval '1 hour' where id = $1", [user.userId]);
  expect((await begin(user.userId, { p_session })).data).toEqual(refused);
  await stack.sql("update auth.users set banned_until = null where id = $1", [user.userId]);
  await user.client.auth.signOut();
  expect((await begin(user.userId, { p_session })).data).toEqual(refused);
  expect((await begin(randomUUID())).data).toEqual(refused);
  const [counted] = await stack.sql("select used from private.studio_rate_limits where owner = $1", [user.userId]);
  expect(counted).toEqual({ used: 1 });
});
