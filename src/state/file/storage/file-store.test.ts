import { expect, it } from "vitest";
import { createFileStore } from "./file-store.ts";

const signal = new AbortController().signal;

it.each([
  [401, "unauthorized", "invalid_credentials"],
  [404, "invalid_config", "invalid_config"],
  [429, "rate_limit", "rate_limit"],
  [502, "too_large", "invalid_config"],
  [503, "network", "internal"],
  [503, "timeout", "timeout"],
])("an answer of %i with %s is an error of the kind %s", async (status, code, expected) => {
  const error = { code, message: "It failed.", hint: "Do this.", retryable: false };
  const store = createFileStore({
    functionsUrl: "http://127.0.0.1",
    publishableKey: "test-key-publishable",
    accessToken: async () => null,
    fetch: async () => Response.json({ error }, { status }),
  });
  expect(await store.open("a", { signal })).toEqual({ ok: false, error: { ...error, code: expected } });
});
