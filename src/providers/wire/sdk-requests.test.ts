import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type GenerateContentParameters } from "@google/genai/web";
import OpenAI, { AzureOpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../../engine/json.ts";
import type { ModelRequest } from "../../engine/model/chat-model.ts";
import { userMessage, type Message } from "../../engine/model/message.ts";
import type { EmbeddingProvider, ProviderContext } from "../../engine/model/provider.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { anthropicProvider } from "../anthropic.ts";
import { geminiProvider } from "../gemini.ts";
import { openaiCompatibleProvider } from "../openai-compatible.ts";
import { openaiProvider } from "../openai.ts";
import { calculator } from "../testing/calculator.ts";
import { exchange } from "../testing/openai-over.ts";
import { searchParts } from "../testing/own-searches.ts";
import { collect, modelRequest } from "../testing/replay.ts";

/** What goes over the wire is what the vendors' SDKs send; their versions are those of the types that the code is written with. */

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The headers that `llm-proxy` passes on to the vendor. */
const passedOn = ["accept", "content-type", "anthropic-version"];

/** A network that keeps what is sent and answers with these bodies in turn, then with empty ones. */
function network(answers: readonly object[] = []) {
  const sent: Sent[] = [];
  const left = [...answers];
  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const headers = passedOn.flatMap((name) => {
      const value = request.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    sent.push({
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(headers),
      body: await request.text(),
    });
    return Response.json(left.shift() ?? {});
  }
  return { sent, send };
}

const signal = new AbortController().signal;

function contextOver({ send }: ReturnType<typeof network>): ProviderContext {
  const host = testHost({ fetch: (_connection, input, init) => send(input, init) });
  return { host, credential: "credential-1", nodeId: "model" };
}

/** The request that a provider's model sends. */
async function ours(
  provider: typeof openaiProvider | typeof openaiCompatibleProvider | typeof anthropicProvider | typeof geminiProvider,
  { model, ...settings }: JsonObject & { model: string },
  request: Partial<ModelRequest>,
): Promise<Sent> {
  const over = network();
  const create = provider.create as (config: object, context: ProviderContext) => ReturnType<typeof provider.create>;
  const made = create({ ...provider.config.parse(settings), model }, contextOver(over));
  await collect(made, modelRequest(request));
  const first = over.sent[0];
  if (!first) throw new Error("Nothing was sent.");
  return first;
}

async function oursOf(answers: readonly object[], ask: (context: ProviderContext) => Promise<unknown>) {
  const over = network(answers);
  await ask(contextOver(over));
  return over.sent;
}

const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

const requests: [name: string, request: Partial<ModelRequest>][] = [
  ["a question", {}],
  ["a conversation with tools", { messages: exchange, tools: [calculator], toolChoice: "required" }],
  ["an answer by schema", { responseFormat: { type: "json", schema } }],
];

const key = { apiKey: "test-key-sdk", maxRetries: 0 };

describe.each(requests)("%s", (_name, request) => {
  it.each([true, false])("is sent to OpenAI as its SDK does (streamed: %s)", async (streaming) => {
    const theirs = network();
    const sdk = new OpenAI({ ...key, baseURL: "https://openai.invalid", fetch: theirs.send });
    const chat = await ours(openaiProvider, { model: "gpt-4o-mini", api: "chat", streaming }, request);
    await sdk.chat.completions.create(JSON.parse(chat.body));
    const responses = await ours(openaiProvider, { model: "gpt-5-mini", streaming }, request);
    await sdk.responses.create(JSON.parse(responses.body));
    expect([chat, responses]).toEqual(theirs.sent);
  });

  it("is sent to Azure as OpenAI's SDK does", async () => {
    const theirs = network();
    const sdk = new AzureOpenAI({
      ...key,
      endpoint: "https://azure.invalid",
      deployment: "my-gpt",
      apiVersion: "2024-10-21",
      fetch: theirs.send,
    });
    const azure = { preset: "azure", azureDeployment: "my-gpt", azureApiVersion: "2024-10-21", model: "gpt-4o" };
    const sent = await ours(openaiCompatibleProvider, azure, request);
    await sdk.chat.completions.create(JSON.parse(sent.body));
    expect([sent]).toEqual(theirs.sent);
  });

  it.each([true, false])("is sent to Anthropic as its SDK does (streamed: %s)", async (streaming) => {
    const theirs = network();
    const sdk = new Anthropic({ ...key, baseURL: "https://anthropic.invalid", fetch: theirs.send, timeout: 600_000 });
    const sent = await ours(anthropicProvider, { model: "claude-sonnet-5-5", streaming }, request);
    await sdk.messages.create(JSON.parse(sent.body));
    expect([sent]).toEqual(theirs.sent);
  });

  it.each([true, false])("is sent to Gemini as its SDK does (streamed: %s)", async (streaming) => {
    const theirs = network();
    for (const model of ["gemini-3-pro-preview", "models/gemini-2.5-flash", "tunedModels/my-one"]) {
      const sent = await ours(
        geminiProvider,
        { model, api: "generate-content", streaming, hateSpeech: "off" },
        request,
      );
      const { contents, generationConfig, ...config } = JSON.parse(sent.body);
      const parameters: GenerateContentParameters = { model, contents, config: { ...generationConfig, ...config } };
      const { models } = gemini(theirs);
      await (streaming ? models.generateContentStream(parameters) : models.generateContent(parameters));
      expect(comparable(sent)).toEqual(comparable(theirs.sent.at(-1)));
    }
  });
});

function gemini({ send }: ReturnType<typeof network>): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: "test-key-sdk",
    httpOptions: { baseUrl: "https://gemini.invalid", fetch: (input, init) => send(String(input), init) },
  });
}

/** Gemini's SDK makes the members of a body anew, in an order of its own, and names a type also where there is no body. */
function comparable(sent: Sent | undefined) {
  return { ...sent, headers: {}, body: sent?.body === "" ? "" : JSON.parse(sent?.body ?? "") };
}

it("gives Google's own searches and pictures in results back as its SDK does", async () => {
  const messages: Message[] = [
    userMessage("Sky?"),
    {
      role: "assistant",
      parts: [
        ...searchParts.map((part) => ({
          type: "reasoning" as const,
          text: "",
          vendor: { part: z.json().parse(part) },
        })),
        {
          type: "tool-call",
          callId: "c",
          toolName: "look",
          arguments: "{}",
          vendor: { id: "x", thoughtSignature: "c2ln" },
        },
      ],
    },
    { role: "tool", callId: "c", toolName: "look", ok: true, text: "Here.", images: ["data:image/png;base64,AAAA"] },
  ];
  const theirs = network();
  const model = "gemini-3-pro-preview";
  const settings = { model, api: "generate-content", googleSearch: true, urlContext: true };
  const sent = await ours(geminiProvider, settings, { messages, tools: [calculator] });
  const { contents, generationConfig, ...config } = JSON.parse(sent.body);
  await gemini(theirs).models.generateContentStream({ model, contents, config: { ...generationConfig, ...config } });
  expect(comparable(sent)).toEqual(comparable(theirs.sent[0]));
});

describe("lists of models and embeddings", () => {
  it("are asked for as OpenAI's SDK does", async () => {
    const theirs = network([{ data: [] }]);
    const sdk = new OpenAI({ ...key, baseURL: "https://openai.invalid", fetch: theirs.send });
    await sdk.models.list();
    await sdk.embeddings.create({ model: "m", input: ["a", "b"], encoding_format: "float" });
    const listed = await oursOf([{ data: [] }], (context) => openaiProvider.listModels(context, signal));
    const embedded = await embed(openaiProvider.embeddings, "m", {
      data: [0, 1].map((index) => ({ index, embedding: [1] })),
    });
    expect([...listed, ...embedded]).toEqual(theirs.sent);
  });

  it("are asked for page by page as Anthropic's SDK does", async () => {
    const pages = [{ data: [{ id: "a", display_name: "A" }], has_more: true, last_id: "a" }, { data: [] }];
    const theirs = network(pages);
    const sdk = new Anthropic({ ...key, baseURL: "https://anthropic.invalid", fetch: theirs.send });
    for await (const { id } of sdk.models.list({ limit: 1000 })) expect(id).toBe("a");
    expect(await oursOf(pages, (context) => anthropicProvider.listModels(context, signal))).toEqual(theirs.sent);
    expect(theirs.sent).toHaveLength(2);
  });

  it("are asked for page by page as Gemini's SDK does", async () => {
    const pages = [{ models: [{ name: "models/a" }], nextPageToken: "n/1=" }, { models: [{ name: "models/b" }] }];
    const theirs = network(pages);
    const { models } = gemini(theirs);
    for await (const { name } of await models.list({ config: { pageSize: 1000 } }))
      expect(name).toMatch(/^models\/[ab]$/);
    const listed = await oursOf(pages, (context) => geminiProvider.listModels(context, signal));
    await models.embedContent({ model: "gemini-embedding-001", contents: ["a", "b"] });
    const embedded = await embed(geminiProvider.embeddings, "gemini-embedding-001", {
      embeddings: [{ values: [1] }, { values: [1] }],
    });
    expect([...listed, ...embedded].map(comparable)).toEqual(theirs.sent.map(comparable));
    expect(listed).toHaveLength(2);
  });
});

function embed(embeddings: EmbeddingProvider | undefined, model: string, answer: object) {
  return oursOf([answer], async (context) => embeddings?.embed({ model, texts: ["a", "b"], signal }, context));
}
