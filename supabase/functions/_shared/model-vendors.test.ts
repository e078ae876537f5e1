import { describe, expect, test } from "vitest";
import type { ModelCredential } from "./credential-types.ts";
import { vendorCheck, vendorRequest } from "./model-vendors.ts";

const apiKey = "test-key-vendor-1234";
const openai: ModelCredential = { type: "openai", fields: { apiKey } };
const anthropic: ModelCredential = { type: "anthropic", fields: { apiKey } };
const gemini: ModelCredential = { type: "gemini", fields: { apiKey } };
const compatible = (baseUrl: string, key?: string): ModelCredential => ({
  type: "openai-compatible",
  fields: { baseUrl, apiKey: key },
});

describe("vendorRequest", () => {
  const answers: [ModelCredential, string, string, string, Record<string, string>][] = [
    [
      openai,
      "/chat/completions",
      "",
      "https://api.openai.com/v1/chat/completions",
      { authorization: `Bearer ${apiKey}` },
    ],
    [anthropic, "/v1/messages", "", "https://api.anthropic.com/v1/messages", { "x-api-key": apiKey }],
    [
      gemini,
      "/v1beta/models/gemini-2.5-flash:streamGenerateContent",
      "?alt=sse&key=test-key-client",
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
      { "x-goog-api-key": apiKey },
    ],
    [
      gemini,
      "/v1beta/interactions",
      "",
      "https://generativelanguage.googleapis.com/v1beta/interactions",
      { "x-goog-api-key": apiKey },
    ],
    [
      compatible("http://localhost:11434/v1/"),
      "/chat/completions",
      "",
      "http://localhost:11434/v1/chat/completions",
      {},
    ],
    [
      compatible("https://me.openai.azure.com/openai/deployments/x?api-version=2024-10-21", apiKey),
      "/chat/completions",
      "api-version=1",
      "https://me.openai.azure.com/openai/deployments/x/chat/completions?api-version=2024-10-21",
      { "api-key": apiKey },
    ],
    [
      { type: "anthropic", fields: { apiKey, baseUrl: "https://gateway.example.com/anthropic/v1" } },
      "/v1/messages",
      "",
      "https://gateway.example.com/anthropic/v1/messages",
      { "x-api-key": apiKey },
    ],
  ];
  test.each(answers)("%o %s", (credential, path, query, url, headers) => {
    expect(vendorRequest(credential, path, query, "POST")).toEqual({ ok: true, value: { url, headers } });
  });

  const refused: [ModelCredential, string, string][] = [
    [openai, "/files", "POST"],
    [openai, "/models", "POST"],
    [openai, "/chat/completions", "GET"],
    [openai, "/models/../files", "GET"],
    [openai, "/models/a%2F..%2Ffiles", "GET"],
    [openai, "//evil.example.com/chat/completions", "POST"],
    [openai, "/chat/completions@evil.example.com", "POST"],
    [openai, "/models/x", "DELETE"],
    [anthropic, "/chat/completions", "POST"],
    [anthropic, "/v1/organizations", "GET"],
    [gemini, "/v1beta/files", "POST"],
    [gemini, "/v1beta/interactions", "GET"],
    [gemini, "/v1beta/interactions/v1_x", "GET"],
    [gemini, "/v1beta/interactions/v1_x", "DELETE"],
    [gemini, "/v1beta/models/x:delete", "POST"],
    [gemini, "/upload/v1beta/files", "POST"],
  ];
  test.each(refused)("%o does not have %s by %s", (credential, path, method) => {
    expect(vendorRequest(credential, path, "", method)).toMatchObject({ ok: false, error: { code: "invalid_config" } });
  });

  test("the check of every vendor is a request that it allows", () => {
    for (const credential of [openai, anthropic, gemini, compatible("http://localhost:1/v1")]) {
      const { url } = vendorCheck(credential);
      const { pathname, search } = new URL(url);
      const path = pathname.replace(/^\/v1(?=\/models)/, credential.type === "anthropic" ? "/v1" : "");
      expect(vendorRequest(credential, path, search, "GET")).toMatchObject({ ok: true, value: { url } });
    }
  });

  test("the check asks for the key where anyone may list models, and for the resource of an Azure deployment", () => {
    expect(vendorCheck(compatible("https://openrouter.ai/api/v1", apiKey))).toEqual({
      url: "https://openrouter.ai/api/v1/key",
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const azure = { url: "https://me.openai.azure.com/openai/models?api-version=2024-10-21" };
    for (const path of ["", "/openai/deployments/x?api-version=2024-06-01"])
      expect(vendorCheck(compatible(`https://me.openai.azure.com${path}`, apiKey))).toEqual({
        ...azure,
        headers: { "api-key": apiKey },
      });
    expect(vendorCheck(compatible("https://me.openai.azure.com/openai/v1", apiKey)).url).toBe(
      "https://me.openai.azure.com/openai/v1/models",
    );
  });
});
