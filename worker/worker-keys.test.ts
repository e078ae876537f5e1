import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { missing, readFunctionKeys, readWorkerKeys } from "./worker-keys.ts";

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchyard-keys-"));
  file = join(folder, "keys.json");
  const keys = {
    publishableKey: "test-key-publishable",
    secretKey: "test-key-secret",
    jwtSecret: "test-key-jwt",
    credentialsKeys: { "1": "test-key-first", "2": "test-key-second" },
    credentialsKeyVersion: 2,
  };
  await writeFile(file, JSON.stringify(keys));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("takes a studio's keys, and what is named by itself before them", async () => {
  expect(await readWorkerKeys({ STUDIO_KEYS_FILE: file })).toEqual({
    publishableKey: "test-key-publishable",
    signingKey: "test-key-jwt",
  });
  expect(await readFunctionKeys({ STUDIO_KEYS_FILE: file })).toEqual({
    secretKey: "test-key-secret",
    credentialsKeys: '{"1":"test-key-first","2":"test-key-second"}',
    credentialsKeyVersion: "2",
  });
  const named = { STUDIO_KEYS_FILE: file, SUPABASE_SECRET_KEY: "test-key-own", CREDENTIALS_KEY_VERSION: "1" };
  expect(await readFunctionKeys(named)).toMatchObject({ secretKey: "test-key-own", credentialsKeyVersion: "1" });
});

it.each(["SUPABASE_SECRET_KEY", "CREDENTIALS_KEYS", "CREDENTIALS_KEY_VERSION"])(
  "says that %s of the functions is missing, and shows no value",
  async (name) => {
    const all: Record<string, string> = {
      SUPABASE_SECRET_KEY: "test-key-secret",
      CREDENTIALS_KEYS: '{"1":"test-key-first"}',
      CREDENTIALS_KEY_VERSION: "1",
    };
    const failure: unknown = await readFunctionKeys({ ...all, [name]: "" }).catch((error: unknown) => error);
    expect(String(failure)).toContain(`${name} is not set.`);
    expect(String(failure)).not.toContain("test-key");
  },
);

it("says which key of a worker is missing", async () => {
  expect(() => missing("DATABASE_URL")).toThrow("runs workers by itself: npm start -- --workers");
  await expect(readWorkerKeys({ SUPABASE_JWT_SECRET: "test-key-jwt" })).rejects.toThrow("SUPABASE_PUBLISHABLE_KEY");
  await expect(readWorkerKeys({ SUPABASE_PUBLISHABLE_KEY: "test-key" })).rejects.toThrow("SUPABASE_JWT_SECRET");
});
