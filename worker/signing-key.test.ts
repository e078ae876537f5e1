import { exportJWK, generateKeyPair, type JWK } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthenticate } from "../supabase/functions/_shared/authenticate.ts";
import { createFunctionContext } from "../supabase/functions/_shared/endpoint.ts";
import { readEnvironment } from "../supabase/functions/_shared/function-environment.ts";
import { createSupabaseClient } from "../supabase/functions/_shared/supabase-client.ts";
import { type LoopbackServer, startLoopbackServer } from "../supabase/functions/_shared/testing/loopback-server.ts";
import { signAccountToken } from "./account-tokens.ts";
import { readPublicKey, readSigningKey } from "./signing-key.ts";

const owner = "7b0ad9f2-30c8-4b8c-9a53-0a3d3a1b8a11";
const secret = "test-key-legacy-secret-0123456789";
const published: JWK[] = [];
let server: LoopbackServer;

beforeAll(async () => {
  server = await startLoopbackServer((_request, response) => response.end(JSON.stringify({ keys: published })));
});
afterAll(() => server.stop());

/** A private key as `supabase gen signing-key` prints it; the project publishes the other half. */
async function generated(alg: "ES256" | "RS256"): Promise<JWK> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const facts = { kid: `test-key-${alg}`, use: "sig", alg, ext: true };
  published.push({ ...(await exportJWK(publicKey)), ...facts, key_ops: ["verify"] });
  return { ...(await exportJWK(privateKey)), ...facts, key_ops: ["sign", "verify"] };
}

const authenticate = () => {
  const environment = readEnvironment({
    SUPABASE_URL: `http://${server.host}`,
    SUPABASE_ANON_KEY: "test-key-anon",
    SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
  });
  return createAuthenticate(createSupabaseClient(environment), { jwtSecret: secret });
};

const asWorker = (token: string) => ({ userId: owner, token, isWorker: true, sessionId: null });

test.each(["ES256", "RS256"] as const)("S11 functions take the token of a worker that signs with %s", async (alg) => {
  const token = await signAccountToken(owner, await readSigningKey(`${JSON.stringify(await generated(alg))}\n`));
  expect(await authenticate()(`Bearer ${token}`)).toEqual(asWorker(token));
});

test("S11 and of one that has the legacy secret", async () => {
  const token = await signAccountToken(owner, await readSigningKey(secret));
  expect(await authenticate()(`Bearer ${token}`)).toEqual(asWorker(token));
});

test("S11 functions that are given the public half take tokens of that key alone, and learn nothing that signs", async () => {
  const [own, other] = [await generated("ES256"), await generated("ES256")];
  const publicKey = readPublicKey(JSON.stringify(own));
  expect(publicKey).toMatchObject({ kty: "EC", kid: own.kid, x: own.x, y: own.y });
  expect(JSON.stringify(publicKey)).not.toContain(own.d);
  expect(readPublicKey(secret)).toBeNull();
  const rsa = await generated("RS256");
  expect(Object.keys(readPublicKey(JSON.stringify(rsa)) ?? {}).toSorted()).toEqual(["alg", "e", "kid", "kty", "n"]);

  const environment = readEnvironment({
    SUPABASE_URL: "http://127.0.0.1:1",
    SUPABASE_ANON_KEY: "test-key-anon",
    SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    FUNCTIONS_DATABASE_URL: "postgres://functions@127.0.0.1:1/none",
    JWT_PUBLIC_KEYS: JSON.stringify({ keys: [publicKey] }),
  });
  const { supabase } = createFunctionContext(environment, () => {});
  const beside = createAuthenticate(supabase, environment);
  const signed = async (key: string) => signAccountToken(owner, key);
  const right = await signed(JSON.stringify(own));
  expect(await beside(`Bearer ${right}`)).toEqual(asWorker(right));
  for (const foreign of [JSON.stringify({ ...other, kid: own.kid }), JSON.stringify(rsa), secret]) {
    expect(await beside(`Bearer ${await signed(foreign)}`)).toBeNull();
  }
});

test("a key that cannot sign is refused with what to do, and is not shown", async () => {
  const { kid: _kid, ...nameless } = await generated("ES256");
  const { d, ...open } = { ...nameless, kid: "one" };
  const damaged = { ...open, d: "AAAA" };
  const { p: _p, ...incomplete } = await generated("RS256");
  for (const [key, words] of [
    ['{"kty":', "is not a JWK"],
    [{ kid: "one" }, "is not a JWK"],
    [nameless, "has no kid"],
    [open, "is a public key"],
    [damaged, "is damaged"],
    [incomplete, "is not complete"],
    [{ kty: "oct", k: "test-key", alg: "HS256", kid: "one" }, "is for HS256"],
  ] as const) {
    const text = typeof key === "string" ? key : JSON.stringify(key);
    const refusal = await readSigningKey(text).catch((error: Error) => error.message);
    expect(refusal).toContain(`The signing key ${words}`);
    expect(refusal).toContain("npx supabase gen signing-key");
    expect(refusal).not.toContain(d);
  }
});
