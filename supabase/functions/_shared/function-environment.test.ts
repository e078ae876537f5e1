import { expect, test } from "vitest";
import { readEnvironment } from "./function-environment.ts";

const legacy = {
  SUPABASE_URL: "https://abc.supabase.co",
  SUPABASE_ANON_KEY: "test-key-anon",
  SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
};
const keys = (publishable: object, secret: object) => ({
  SUPABASE_PUBLISHABLE_KEYS: JSON.stringify(publishable),
  SUPABASE_SECRET_KEYS: JSON.stringify(secret),
});
const read = (variables: Record<string, string>) => {
  const { anonKey, serviceRoleKey } = readEnvironment(variables);
  return [anonKey, serviceRoleKey];
};

test("a project's keys by name go before the older ones, which it may not have", () => {
  const named = keys({ web: "test-key-web", default: "test-key-publishable" }, { server: "test-key-secret" });
  expect(read({ ...legacy, ...named })).toEqual(["test-key-publishable", "test-key-secret"]);
  expect(read({ SUPABASE_URL: legacy.SUPABASE_URL, ...named })).toEqual(["test-key-publishable", "test-key-secret"]);
});

test("the older ones count where the others are not complete", () => {
  const older = ["test-key-anon", "test-key-service"];
  expect(read(legacy)).toEqual(older);
  expect(read({ ...legacy, ...keys({ default: "test-key-publishable" }, {}) })).toEqual(older);
  expect(read({ ...legacy, SUPABASE_PUBLISHABLE_KEYS: "none", SUPABASE_SECRET_KEYS: "{" })).toEqual(older);
});

test("without any, the names are told and no value", () => {
  expect(() => readEnvironment({ ...legacy, SUPABASE_ANON_KEY: "", CREDENTIALS_KEYS: "test-key" })).toThrow(
    "These variables of the functions are missing or wrong: SUPABASE_ANON_KEY, CREDENTIALS_KEYS",
  );
});
