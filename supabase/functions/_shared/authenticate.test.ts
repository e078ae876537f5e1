import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAuthenticate, type Authenticate } from "./authenticate.ts";
import { readEnvironment } from "./function-environment.ts";
import { createSupabaseClient } from "./supabase-client.ts";
import { startLoopbackServer, type LoopbackServer } from "./testing/loopback-server.ts";

const user = "7b0ad9f2-30c8-4b8c-9a53-0a3d3a1b8a11";

describe("S11 tokens signed with a key pair", () => {
  let server: LoopbackServer;
  let authenticate: Authenticate;
  let own: CryptoKey;
  let foreign: CryptoKey;
  let now = Date.now();

  const sign = (key: CryptoKey, claims: JWTPayload, kid = "one"): Promise<string> =>
    new SignJWT({ sub: user, role: "authenticated", exp: now / 1000 + 3600, ...claims })
      .setProtectedHeader({ alg: "ES256", kid })
      .sign(key);
  const keyReads = (): number => server.seen.filter(({ url }) => url.endsWith("jwks.json")).length;

  beforeAll(async () => {
    const pair = await generateKeyPair("ES256");
    own = pair.privateKey;
    foreign = (await generateKeyPair("ES256")).privateKey;
    const published = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" };
    const shared = { kty: "oct", k: Buffer.from("a published secret is none").toString("base64url"), kid: "shared" };
    server = await startLoopbackServer((_request, response) =>
      response.end(JSON.stringify({ keys: [published, shared] })),
    );
  });

  beforeEach(() => {
    now = Date.now();
    server.seen.length = 0;
    const environment = {
      supabaseUrl: `http://${server.host}`,
      publicUrl: null,
      anonKey: "test-key-anon",
      serviceRoleKey: "test-key-service",
      jwtSecret: null,
      publicKeys: null,
      databaseUrl: null,
      allowHosts: [],
      proxies: undefined,
      isLocal: true,
      isBehindGateway: false,
      credentialKeys: new Map(),
      credentialKeyVersion: null,
      allowedOrigins: [],
    };
    authenticate = createAuthenticate(createSupabaseClient(environment), { now: () => now });
  });

  afterAll(() => server.stop());

  test("S11 a user's token is accepted, and the keys are read once", async () => {
    const token = await sign(own, {});
    expect(await authenticate(`Bearer ${token}`)).toEqual({ userId: user, token, isWorker: false, sessionId: null });
    const again = await sign(own, { iat: 1 });
    expect(await authenticate(`Bearer ${again}`)).toEqual({
      userId: user,
      token: again,
      isWorker: false,
      sessionId: null,
    });
    expect(keyReads()).toBe(1);
  });

  test("a worker's token is told from a person's", async () => {
    const token = await sign(own, { switchyard: "worker" });
    for (let time = 0; time < 2; time += 1) {
      expect(await authenticate(`Bearer ${token}`)).toEqual({ userId: user, token, isWorker: true, sessionId: null });
    }
    expect(await authenticate(`Bearer ${await sign(foreign, { switchyard: "worker" })}`)).toBeNull();
  });

  test("S11 an accepted token ends with its time", async () => {
    const header = `Bearer ${await sign(own, {})}`;
    expect(await authenticate(header)).not.toBeNull();
    now += 3_700_000;
    expect(await authenticate(header)).toBeNull();
  });

  test("S11 what is no user's token of this project is refused", async () => {
    const good = await sign(own, {});
    const [head, , signature] = good.split(".");
    const forged = `${head}.${Buffer.from(JSON.stringify({ sub: user, role: "authenticated", exp: 9e9 })).toString("base64url")}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${good.split(".")[1]}.`;
    const symmetric = await new SignJWT({ sub: user, role: "authenticated", exp: 9e9 })
      .setProtectedHeader({ alg: "HS256", kid: "shared" })
      .sign(new TextEncoder().encode("a published secret is none"));
    const refused = [
      null,
      "",
      "Bearer ",
      "Bearer sb_publishable_test",
      `Basic ${good}`,
      `Bearer ${await sign(foreign, {})}`,
      `Bearer ${await sign(foreign, {}, "unknown")}`,
      `Bearer ${await sign(own, { exp: now / 1000 - 60 })}`,
      `Bearer ${await sign(own, { role: "anon" })}`,
      `Bearer ${await sign(own, { role: "service_role" })}`,
      `Bearer ${await sign(own, { sub: undefined })}`,
      `Bearer ${forged}`,
      `Bearer ${unsigned}`,
      `Bearer ${symmetric}`,
    ];
    for (const header of refused) expect(await authenticate(header), String(header)).toBeNull();
  });

  test("tokens with unknown keys do not make the keys be read again and again", async () => {
    for (let count = 0; count < 5; count += 1) {
      await authenticate(`Bearer ${await sign(foreign, { iat: count }, `unknown-${count}`)}`);
    }
    expect(keyReads()).toBeLessThanOrEqual(2);
  });
});

describe("S11 tokens signed with a shared secret", () => {
  const projectSecret = "test-key-that-signs-tokens-0123456789";
  const session = "0c8ba1de-5f53-4e0c-9c2b-6a8b8a1b6d55";
  let server: LoopbackServer;

  const sign = (claims: JWTPayload, secret = projectSecret, alg = "HS256"): Promise<string> =>
    new SignJWT({ sub: user, role: "authenticated", exp: Date.now() / 1000 + 3600, ...claims })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(secret));
  const clientOf = (jwtSecret: string | null) =>
    createAuthenticate(
      createSupabaseClient(
        readEnvironment({
          SUPABASE_URL: `http://${server.host}`,
          SUPABASE_ANON_KEY: "test-key-anon",
          SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
        }),
      ),
      { jwtSecret },
    );

  beforeAll(async () => {
    server = await startLoopbackServer((_request, response) => response.end(JSON.stringify({ id: user })));
  });
  beforeEach(() => (server.seen.length = 0));
  afterAll(() => server.stop());

  test("S11 are checked here where the functions hold the secret, and nobody else is asked", async () => {
    const authenticate = clientOf(projectSecret);
    const token = await sign({ session_id: session });
    expect(await authenticate(`Bearer ${token}`)).toEqual({ userId: user, token, isWorker: false, sessionId: session });
    const refused = [
      await sign({}, "another project's secret, long enough"),
      await sign({}, projectSecret, "HS512"),
      await sign({ exp: Date.now() / 1000 - 60 }),
      await sign({ role: "service_role" }),
      await sign({ session_id: "none" }),
      `${token.slice(0, -4)}AAAA`,
    ];
    for (const one of refused) expect(await authenticate(`Bearer ${one}`), one).toBeNull();
    expect(server.seen).toEqual([]);
  });

  test("S11 are shown to the auth server where the functions do not hold it", async () => {
    const authenticate = clientOf(null);
    const token = await sign({ session_id: session });
    expect(await authenticate(`Bearer ${token}`)).toEqual({ userId: user, token, isWorker: false, sessionId: session });
    await authenticate(`Bearer ${token}`);
    expect(server.seen.map(({ url }) => url)).toEqual(["/auth/v1/user"]);
  });
});
