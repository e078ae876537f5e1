import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddingProviderDefinition } from "../../src/engine/model/provider.ts";
import { embeddingProviders } from "../../src/providers/embeddings/embedding-providers.ts";
import { startLoopbackServer, type LoopbackServer } from "../../supabase/functions/_shared/testing/loopback-server.ts";
import { createModelFetch } from "./model-fetch.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";

const apiKey = "test-key-embeddings-0123456789";

let vendor: LoopbackServer;
let fails = false;

const vectorOf = (text: string) => [text.length, 1, 0];

/** Answers as the vendors' references say, OpenAI's out of order. */
function answerTo(path: string, body: Record<string, unknown>): object {
  if (path.endsWith(":batchEmbedContents")) {
    const requests = body["requests"] as { content: { parts: { text: string }[] } }[];
    return { embeddings: requests.map(({ content }) => ({ values: vectorOf(content.parts[0]?.text ?? "") })) };
  }
  const data = (body["input"] as string[]).map((text, index) => ({
    object: "embedding",
    index,
    embedding: vectorOf(text),
  }));
  return {
    object: "list",
    data: data.toReversed(),
    model: body["model"],
    usage: { prompt_tokens: 2, total_tokens: 2 },
  };
}

beforeAll(async () => {
  vendor = await startLoopbackServer((request, response) => {
    const body = JSON.parse(vendor.seen.at(-1)?.body ?? "{}") as Record<string, unknown>;
    response.writeHead(fails ? 401 : 200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(fails ? { error: { message: `Bad key ${apiKey}` } } : answerTo(request.url ?? "", body)),
    );
  });
});

afterAll(() => vendor.stop());

function embed(provider: EmbeddingProviderDefinition, texts: string[], credential = "c"): Promise<number[][]> {
  const type = provider.credentialTypes[0] as "openai" | "openai-compatible" | "gemini";
  const baseUrl = type === "gemini" ? `http://${vendor.host}` : `http://${vendor.host}/v1`;
  const fetch = createModelFetch(
    {
      get: (id) =>
        id === "c" ? { credential: { type, fields: { apiKey, baseUrl } }, allowedHosts: [vendor.host] } : undefined,
      secrets: [apiKey],
    },
    { allowHosts: [] },
  );
  return provider.embeddings.embed(
    { model: "some-model", texts, signal: new AbortController().signal },
    { host: testHost({ fetch }), credential, nodeId: "n" },
  );
}

const withKey = embeddingProviders.filter((provider) => provider.credentialTypes.length > 0);

test("three vendors and a server of this computer have embeddings", () => {
  expect(withKey.map((provider) => provider.id)).toEqual(["openai", "gemini", "openai-compatible", "local"]);
});

describe.each(withKey)("embeddings of $id through the guarded proxy", (provider) => {
  test("gives a vector for each text, in order, signed with the stored key", async () => {
    const before = vendor.seen.length;
    expect(await embed(provider, ["a", "four"])).toEqual([vectorOf("a"), vectorOf("four")]);
    expect(vendor.seen).toHaveLength(before + 1);
    const [request] = vendor.seen.slice(-1);
    const headers = request?.headers ?? {};
    if (provider.id === "gemini") {
      expect(request?.url).toMatch(/^\/v1beta\/models\/some-model:batchEmbedContents/);
      expect(headers["x-goog-api-key"]).toBe(apiKey);
    } else {
      expect(request?.url).toBe("/v1/embeddings");
      expect(headers["authorization"]).toBe(`Bearer ${apiKey}`);
    }
  });

  test("S43 says that the key is refused, without showing it", async () => {
    fails = true;
    const failure = await embed(provider, ["a"]).catch((error: unknown) => error);
    fails = false;
    expect(failure).toMatchObject({ data: { code: "invalid_credentials", retryable: false } });
    expect(JSON.stringify(failure)).not.toContain(apiKey);
  });

  test("asks for a credential before any request", async () => {
    const before = vendor.seen.length;
    await expect(embed(provider, ["a"], "")).rejects.toMatchObject({ data: { code: "invalid_credentials" } });
    expect(vendor.seen).toHaveLength(before);
  });
});
