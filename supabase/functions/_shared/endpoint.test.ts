import { describe, expect, test } from "vitest";
import { credentialsEndpoint } from "../credentials/handler.ts";
import { createAdmissions } from "./admissions.ts";
import { createFunctionContext, serveEndpoint } from "./endpoint.ts";
import { readEnvironment } from "./function-environment.ts";
import { SupabaseError } from "./supabase-client.ts";

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

describe("while the database is away a function", () => {
  const away = () => Promise.reject(new SupabaseError("call studio_begin_call", 503, null));
  const begun = () => Promise.resolve({ slot: "00000000-0000-4000-8000-000000000001", credential: null });
  const request = () =>
    new Request("http://127.0.0.1:9/functions/v1/sample", {
      method: "POST",
      headers: { authorization: "Bearer token" },
    });

  function serve(callAsService: () => Promise<unknown>, handle: () => Promise<Response>) {
    const context = createFunctionContext(environment, (work) => void work.catch(() => undefined));
    const endpoint = {
      methods: ["POST"],
      rateLimit: { bucket: "b", perMinute: 9, concurrent: 9, slotSeconds: 9 },
      handle,
    };
    const authenticate = () => Promise.resolve({ userId: "user", token: "token", isWorker: false, sessionId: null });
    return serveEndpoint(endpoint, { ...context, authenticate, admissions: createAdmissions({ callAsService }) });
  }

  test("says that nothing was done, and when to come again", async () => {
    const response = await serve(away, () => Promise.reject(new Error("This must not be called.")))(request());
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.headers.get("x-switchyard-database")).toBe("not-started");
    expect((await response.json()).error).toMatchObject({ code: "internal", retryable: true });
  });

  test("says so as well when it was reading what it needs to begin", async () => {
    const reading = () => Promise.reject(new SupabaseError("select studio_credentials", 503, null, { isRead: true }));
    const response = await serve(begun, reading)(request());
    expect(response.status).toBe(503);
    expect(response.headers.get("x-switchyard-database")).toBe("not-started");
    expect((await response.json()).error).toMatchObject({ code: "internal", retryable: true });
  });

  test("does not say so when it had begun", async () => {
    const response = await serve(begun, away)(request());
    expect(response.status).toBe(503);
    expect(response.headers.get("x-switchyard-database")).toBeNull();
    expect((await response.json()).error).toMatchObject({
      retryable: false,
      hint: expect.stringContaining("Check whether"),
    });
  });
});

test("calls of workers are counted apart from those of their owner in a browser", async () => {
  const counted: unknown[] = [];
  const callAsService = (name: string, parameters: Record<string, unknown>) => {
    if (name !== "studio_begin_call") return Promise.resolve(null);
    counted.push([parameters["p_bucket"], parameters["p_per_minute"], parameters["p_max"]]);
    return Promise.resolve({ slot: "00000000-0000-4000-8000-000000000001", credential: null });
  };
  for (const isWorker of [false, true]) {
    const context = createFunctionContext(environment, (work) => void work.catch(() => undefined));
    const endpoint = {
      methods: ["POST"],
      rateLimit: { bucket: "b", perMinute: 9, concurrent: 9, slotSeconds: 9 },
      handle: () => Promise.resolve(new Response("ok")),
    };
    const authenticate = () => Promise.resolve({ userId: "user", token: "token", isWorker, sessionId: null });
    const serve = serveEndpoint(endpoint, {
      ...context,
      authenticate,
      admissions: createAdmissions({ callAsService }),
    });
    await serve(new Request("http://127.0.0.1:9/functions/v1/sample", { method: "POST" }));
  }
  expect(counted).toEqual([
    ["b", 9, 9],
    ["b worker", 90, 45],
  ]);
});
