import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { Host } from "../../src/engine/host.ts";
import type { ChatModel, ModelEvent } from "../../src/engine/model/chat-model.ts";
import { testHost } from "../../src/engine/testing/test-host.ts";
import { createModelFetch } from "../../src/state/shared/storage/model-fetch.ts";
import { anthropicProvider } from "../../src/providers/anthropic.ts";
import * as anthropic from "../../src/providers/anthropic/recordings/messages.ts";
import { geminiProvider } from "../../src/providers/gemini.ts";
import * as gemini from "../../src/providers/gemini/recordings/generate-content.ts";
import * as interactions from "../../src/providers/gemini/recordings/interactions.ts";
import { openaiProvider } from "../../src/providers/openai.ts";
import * as chat from "../../src/providers/openai/recordings/chat.ts";
import * as responses from "../../src/providers/openai/recordings/responses.ts";
import { calculator } from "../../src/providers/testing/calculator.ts";
import { collect, modelRequest, replayHost, type Recording } from "../../src/providers/testing/replay.ts";
import { credentialNameHeader } from "../../src/engine/studio-headers.ts";
import { startTestStack, type TestStack } from "../../supabase/local/testing/start-stack.ts";
import { startReplayServer, type ReplayServer } from "./replay-server.ts";

/**
 * Every recorded answer through the real way: the provider, the browser's host, the embedded stack, `llm-proxy` in
 * Deno, and a server on loopback that sends the bytes in pieces. What comes out must be what the recording gives directly.
 */

interface Vendor {
  type: string;
  /** Path of the base URL in the credential. */
  basePath: string;
  keyHeader: [name: string, value: string];
  recordings: Record<string, Recording>;
  create(host: Host, credential: string): ChatModel;
}

const key = "test-key-vendor-wire";

function openai(config: { api?: string; model: string }): Vendor["create"] {
  return (host, credential) =>
    openaiProvider.create(
      { ...openaiProvider.config.parse({ api: config.api }), model: config.model },
      { host, credential, nodeId: "model" },
    );
}

function geminiBy(api: string): Vendor["create"] {
  return (host, credential) =>
    geminiProvider.create(
      { ...geminiProvider.config.parse({ api }), model: "gemini-3-pro-preview" },
      { host, credential, nodeId: "model" },
    );
}

const streamed = (recordings: Record<string, Recording>) =>
  Object.fromEntries(Object.entries(recordings).filter(([name]) => name !== "whole" && name !== "models"));

const some = (recordings: Record<string, Recording>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(recordings).filter(([name]) => names.includes(name)));

const vendors: Record<string, Vendor> = {
  "OpenAI Chat Completions": {
    type: "openai",
    basePath: "/v1",
    keyHeader: ["authorization", `Bearer ${key}`],
    recordings: streamed({ ...chat }),
    create: openai({ model: "gpt-4o-mini" }),
  },
  "OpenAI Responses": {
    type: "openai",
    basePath: "/v1",
    keyHeader: ["authorization", `Bearer ${key}`],
    recordings: streamed({ ...responses }),
    create: openai({ model: "gpt-5-mini", api: "responses" }),
  },
  Anthropic: {
    type: "anthropic",
    basePath: "",
    keyHeader: ["x-api-key", key],
    recordings: streamed({ ...anthropic }),
    create: (host, credential) =>
      anthropicProvider.create(
        { ...anthropicProvider.config.parse({}), model: "claude-sonnet-5-5" },
        { host, credential, nodeId: "model" },
      ),
  },
  Gemini: {
    type: "gemini",
    basePath: "",
    keyHeader: ["x-goog-api-key", key],
    recordings: streamed({ ...gemini }),
    create: geminiBy("generate-content"),
  },
  "Gemini Interactions": {
    type: "gemini",
    basePath: "",
    keyHeader: ["x-goog-api-key", key],
    recordings: some(interactions, [
      "text",
      "oneCall",
      "thinkingAndText",
      "grounded",
      "overloadedInStream",
      "bareRefusal",
      "cutOff",
      "badKey",
      "rateLimited",
    ]),
    create: geminiBy("interactions"),
  },
};

let stack: TestStack;
let server: ReplayServer;
let token: string;

beforeAll(async () => {
  [stack, server] = await Promise.all([startTestStack({ functions: true }), startReplayServer()]);
  const signedUp = await post("/auth/v1/signup", { email: "wire@example.com", password: "test-password-1" }, stack.key);
  token = z.object({ access_token: z.string() }).parse(signedUp).access_token;
});

afterAll(async () => {
  await Promise.all([stack.stop(), server.close()]);
});

async function post(path: string, body: object, bearer: string): Promise<unknown> {
  const response = await fetch(`${stack.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: stack.key, authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function saveCredential(type: string, baseUrl: string): Promise<string> {
  const saved = await post(
    "/functions/v1/credentials",
    { action: "save", name: `${type} key`, type, fields: { apiKey: key, baseUrl } },
    token,
  );
  return z.object({ id: z.string() }).parse(saved).id;
}

describe.each(Object.entries(vendors))("%s through the proxy", (_name, vendor) => {
  let host: Host;
  let credential: string;

  beforeAll(async () => {
    credential = await saveCredential(vendor.type, server.url + vendor.basePath);
    const access = {
      functionsUrl: `${stack.url}/functions/v1`,
      publishableKey: stack.key,
      accessToken: () => Promise.resolve(token),
    };
    host = testHost({ fetch: createModelFetch(access) });
  });

  it.each(Object.entries(vendor.recordings))(
    "gives the events of %s and sends the same body",
    async (_title, recording) => {
      const signed = { [credentialNameHeader]: encodeURIComponent(`${vendor.type} key`) };
      const direct = replayHost({ ...recording, headers: { ...recording.headers, ...signed } });
      const request = modelRequest({ tools: [calculator] });
      const expected = await collect(vendor.create(direct.host, credential), request);

      server.play(recording);
      const events = await collect(vendor.create({ ...host, newId: testHost().newId }, credential), request);
      expect(comparable(events)).toEqual(comparable(expected));

      const [name, value] = vendor.keyHeader;
      const arrived = server.requests.at(-1);
      expect(arrived?.headers[name]).toBe(value);
      expect(arrived?.body).toEqual(direct.sent[0]?.body);
      expect(JSON.stringify(events)).not.toContain(key);
    },
  );
});

/** How text is cut into deltas depends on the network; the text itself does not. */
function comparable(events: ModelEvent[]) {
  const joined = { text: "", reasoning: "" };
  const others: ModelEvent[] = [];
  for (const event of events) {
    if (event.type === "text-delta") joined.text += event.text;
    else if (event.type === "reasoning-delta") joined.reasoning += event.text;
    else others.push(event);
  }
  return { ...joined, others };
}
