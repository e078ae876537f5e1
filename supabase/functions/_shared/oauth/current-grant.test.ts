import { afterEach, expect, test } from "vitest";
import type { CredentialRow, CredentialStore } from "../credential-store.ts";
import type { Credential } from "../credential-types.ts";
import { createFunctionContext } from "../endpoint.ts";
import { success } from "../failure.ts";
import { readEnvironment } from "../function-environment.ts";
import { client, startStrictOAuthServer, type StrictOAuthServer } from "../testing/strict-oauth-server.ts";
import { currentCredential } from "./current-grant.ts";

const caller = { userId: "user", token: "token", isWorker: false, sessionId: null };
let server: StrictOAuthServer | undefined;
afterEach(() => server?.stop());

/** One credential of an application, in a store that keeps what is renewed. */
async function setUp() {
  server = await startStrictOAuthServer();
  const saved: Credential = {
    type: "oauth2-client",
    fields: {
      tokenUrl: `${server.origin}/token`,
      clientId: client.id,
      clientSecret: client.secret,
      clientProof: "body",
    },
  };
  const row: CredentialRow = {
    id: "00000000-0000-4000-8000-000000000001",
    owner: caller.userId,
    name: "Test",
    type: saved.type,
    last_four: null,
    allowed_hosts: [server.host],
    key_version: 1,
    settings: {},
  };
  let stored: Credential = saved;
  const credentials: Pick<CredentialStore, "find" | "open" | "renew"> = {
    find: () => Promise.resolve(success(row)),
    open: () => Promise.resolve(success(stored)),
    renew(_caller, { credential }) {
      stored = credential;
      return Promise.resolve(success(null));
    },
  };
  const environment = readEnvironment({
    SUPABASE_URL: "http://127.0.0.1:9",
    SUPABASE_ANON_KEY: "test-key-publishable",
    SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    STUDIO_ALLOW_HOSTS: server.host,
  });
  const context = createFunctionContext(environment, () => undefined);
  const current = (read: Credential, refused = false) =>
    currentCredential(
      row,
      read,
      caller,
      { ...context, credentials: { ...context.credentials, ...credentials } },
      { refused },
    );
  return { server, saved, current };
}

test("a call that read an application's credential before its token was stored takes that token", async () => {
  const { server, saved, current } = await setUp();
  const first = await current(saved);
  const late = await current(saved);
  expect(first).toMatchObject({ ok: true });
  expect(late).toEqual(first);
  expect(server.asked).toHaveLength(1);
});

test("a token of an application that is refused is asked for again, once for all who hold it", async () => {
  const { server, saved, current } = await setUp();
  const first = await current(saved);
  if (!first.ok) throw new Error(first.error.message);
  const second = await current(first.value, true);
  const late = await current(first.value, true);
  expect(second).not.toEqual(first);
  expect(late).toEqual(second);
  expect(server.asked).toHaveLength(2);
});
