import { describe, expect, test } from "vitest";
import { credentialsEndpoint } from "../credentials/handler.ts";
import { createFunctionContext, serveEndpoint } from "./endpoint.ts";
import { readEnvironment } from "./function-environment.ts";

const environment = readEnvironment({
  SUPABASE_URL: "http://127.0.0.1:9",
  SUPABASE_ANON_KEY: "test-key-publishable",
  SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
  ALLOWED_ORIGIN: "https://studio.example.test",
});

describe("S71 a function, wherever it is deployed,", () => {
  const serve = serveEndpoint(
    credentialsEndpoint,
    createFunctionContext(environment, () => undefined),
  );
  const url = "https://example.supabase.co/functions/v1/credentials";

  test.each(["OPTIONS", "POST", "GET"])("answers %s with headers that make no page of it", async (method) => {
    for (const origin of ["https://studio.example.test", "https://evil.example"]) {
      const { headers } = await serve(new Request(url, { method, headers: { origin } }));
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
      });
      expect(headers.get("access-control-allow-origin")).toBe(origin.endsWith(".test") ? origin : null);
    }
  });
});
