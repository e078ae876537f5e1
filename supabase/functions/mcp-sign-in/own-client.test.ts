import { describe, expect, test } from "vitest";
import { callbackPath } from "../../../src/features/credentials/callback-path.ts";
import { readEnvironment } from "../_shared/function-environment.ts";
import { mcpSignInEndpoint } from "./handler.ts";
import { ownCallbackPath, findOwnClient } from "./own-client.ts";

const documentPath = "/functions/v1/mcp-sign-in/client-metadata.json";

const hosted = (variables: Record<string, string> = {}) =>
  readEnvironment({
    SUPABASE_URL: "https://project.example.co",
    SUPABASE_ANON_KEY: "test-key-anon",
    SUPABASE_SERVICE_ROLE_KEY: "test-key-service",
    ALLOWED_ORIGIN: "https://studio.example.com, http://localhost:5173",
    ...variables,
  });

/** As Supabase's platform hands a request to the function. */
const asked = (headers: Record<string, string> = {}, method = "GET") =>
  new Request("http://project.example.co/mcp-sign-in/client-metadata.json", { method, headers });

describe("a hosted studio", () => {
  test("is described to anyone, with its own pages", async () => {
    const response = mcpSignInEndpoint.answerAnyone?.(asked(), hosted());
    expect(await response?.json()).toMatchObject({
      client_id: `https://project.example.co${documentPath}`,
      redirect_uris: [`https://studio.example.com${callbackPath}`, `http://localhost:5173${callbackPath}`],
    });
    expect(findOwnClient(asked(), hosted(), `https://studio.example.com${callbackPath}`)).toEqual({
      id: `https://project.example.co${documentPath}`,
      isHosted: true,
    });
    expect(ownCallbackPath).toBe(callbackPath);
  });

  test("S79 names no page in its document but its own", () => {
    for (const page of ["https://elsewhere.example.com/oauth/callback", "https://studio.example.com/other"]) {
      expect(findOwnClient(asked(), hosted(), page)).toBeNull();
    }
  });

  test.each([
    ["without encryption", hosted({ SUPABASE_URL: "http://project.example.co" })],
    ["inside a network", hosted({ SUPABASE_URL: "https://192.168.1.5" })],
    ["under a name of a network", hosted({ SUPABASE_URL: "https://studio.internal" })],
    ["on this machine", hosted({ SUPABASE_URL: "https://localhost:54321" })],
    ["behind a gateway that says nothing of itself", hosted({ STUDIO_GATEWAY: "1" })],
  ])("has no document %s", (_case, environment) => {
    expect(mcpSignInEndpoint.answerAnyone?.(asked(), environment)).toBeNull();
  });

  test("is not described by what a caller says", () => {
    const told = asked({ "x-switchyard-origin": "https://elsewhere.example.com" });
    expect(findOwnClient(told, hosted(), "https://elsewhere.example.com/oauth/callback")).toBeNull();
    expect(mcpSignInEndpoint.answerAnyone?.(asked({}, "POST"), hosted())).toBeNull();
  });
});
