import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import type { JsonObject } from "../engine/json.ts";
import type { Message } from "../engine/model/message.ts";
import { openaiCompatibleProvider } from "./openai-compatible.ts";
import { calculator } from "./testing/calculator.ts";
import { pdfNote } from "./openai/recordings/chat-with.ts";
import * as chat from "./openai/recordings/chat.ts";
import { collect, modelRequest, replayHost, summary, type Recording } from "./testing/replay.ts";

function setUp(recording: Recording, settings: JsonObject = {}) {
  const { host, sent } = replayHost(recording);
  const { model: name = "llama3.2", ...config } = settings;
  const model = openaiCompatibleProvider.create(
    { ...openaiCompatibleProvider.config.parse(config), model: String(name) },
    { host, credential: "credential-1", nodeId: "model" },
  );
  return { model, sent };
}

describe("openai-compatible", () => {
  it("speaks Chat Completions with the older name of the token limit", async () => {
    const { model, sent } = setUp(chat.text, { maxTokens: 1000 });
    await collect(model);
    expect(sent[0]?.url.pathname).toBe("/chat/completions");
    expect(sent[0]?.body).toMatchObject({ model: "llama3.2", max_tokens: 1000 });
    expect(sent[0]?.body).not.toHaveProperty("temperature");
    const free = setUp(chat.text);
    await collect(free.model);
    expect(free.sent[0]?.body).not.toHaveProperty("max_tokens");
  });

  it("asks for one tool call at a time where told, and names no tools that may not be called", async () => {
    const one = setUp(chat.text, { parallelToolCalls: false });
    await collect(one.model, modelRequest({ tools: [calculator] }));
    expect(one.sent[0]?.body).toMatchObject({ parallel_tool_calls: false, tools: [{}] });
    const none = setUp(chat.text);
    await collect(none.model, modelRequest({ tools: [calculator], toolChoice: "none" }));
    expect(none.sent[0]?.body).not.toHaveProperty("tools");
    expect(none.sent[0]?.body).not.toHaveProperty("parallel_tool_calls");
  });

  it("tells OpenRouter that a picture is wanted of a model that makes some", async () => {
    const asked = async (preset: string, model: string) => {
      const { model: made, sent } = setUp(chat.text, { preset, model });
      await collect(made);
      return sent[0]?.body;
    };
    expect(await asked("openrouter", "google/gemini-2.5-flash-image")).toMatchObject({ modalities: ["image", "text"] });
    expect(await asked("openrouter", "google/gemini-2.5-flash")).not.toHaveProperty("modalities");
    expect(await asked("custom", "google/gemini-2.5-flash-image")).not.toHaveProperty("modalities");
  });

  it("joins neighbours of one role and instructions, since local chat templates insist on alternation", async () => {
    const messages: Message[] = [
      { role: "system", text: "One." },
      { role: "system", text: "Two." },
      { role: "user", parts: [{ type: "text", text: "A" }] },
      { role: "user", parts: [{ type: "text", text: "B" }] },
      { role: "assistant", parts: [{ type: "tool-call", callId: "c", toolName: "t", arguments: '{"broken' }] },
      { role: "tool", callId: "c", toolName: "t", ok: false, text: "The arguments are no JSON." },
      { role: "system", text: "Three." },
    ];
    const { model, sent } = setUp(chat.text);
    await collect(model, modelRequest({ messages }));
    expect(sent[0]?.body).toMatchObject({
      messages: [
        { role: "system", content: "One.\n\nTwo." },
        { role: "user", content: "A\nB" },
        { role: "assistant", content: null, tool_calls: [{ function: { arguments: "{}" } }] },
        { role: "tool", content: "The arguments are no JSON." },
        { role: "user", content: "Three." },
      ],
    });
  });

  it("reads whole calls that all have index 0 and end with stop", async () => {
    const { last } = summary(await collect(setUp(chat.wholeCalls, { preset: "ollama" }).model));
    expect(last).toMatchObject({
      finishReason: "tool-calls",
      rawFinishReason: "stop",
      message: {
        parts: [
          { callId: "call_a", toolName: "one" },
          { callId: "call_b", toolName: "two" },
        ],
      },
    });
  });

  it("shows the thinking of models that stream it", async () => {
    const { reasoning, last } = summary(await collect(setUp(chat.thinkingAndCall).model));
    expect(reasoning).toBe("Let me add.");
    expect(last).toMatchObject({
      message: {
        parts: [
          { type: "reasoning", text: "Let me add." },
          { type: "tool-call", callId: "call_a" },
        ],
      },
    });
  });

  it("hands OpenRouter's reasoning details back unchanged", async () => {
    const details = [{ type: "reasoning.encrypted", data: "abc", id: "r1" }];
    const first = setUp(
      {
        body: JSON.stringify({
          id: "1",
          choices: [
            {
              index: 0,
              message: { role: "assistant", content: "Hi", reasoning_details: details },
              finish_reason: "stop",
            },
          ],
        }),
      },
      { streaming: false, preset: "openrouter" },
    );
    const { last } = summary(await collect(first.model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const second = setUp(chat.text, { preset: "openrouter" });
    await collect(second.model, modelRequest({ messages: [last.message] }));
    expect(second.sent[0]?.body).toMatchObject({ messages: [{ role: "assistant", reasoning_details: details }] });
  });

  it("hands back what OpenRouter read in a PDF, and to no server that refuses what it does not know", async () => {
    const { last } = summary(await collect(setUp(chat.readPdf, { preset: "openrouter" }).model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const again = async (preset: string) => {
      const { model, sent } = setUp(chat.text, { preset });
      await collect(model, modelRequest({ messages: [last.message] }));
      return sent[0]?.body;
    };
    expect(await again("openrouter")).toMatchObject({ messages: [{ annotations: [pdfNote] }] });
    expect(await again("groq")).toMatchObject({ messages: [{ role: "assistant", content: "They rose." }] });
    expect(JSON.stringify(await again("groq"))).not.toContain("annotations");
  });

  it.each([
    ["openrouter", "anthropic/claude-haiku-4.5", ["pdf"]],
    ["openrouter", "google/gemini-2.5-flash", ["pdf", "audio"]],
    ["openrouter", "ai21/jamba-large-1.7", []],
    ["groq", "anthropic/claude-haiku-4.5", []],
  ])("takes the files that %s says %s reads", (preset, model, files) => {
    expect(setUp(chat.text, { preset, model }).model.capabilities.files).toEqual(files);
  });

  it("puts Azure's deployment and API version into the address", async () => {
    const { model, sent } = setUp(chat.text, {
      preset: "azure",
      azureDeployment: "my-gpt",
      azureApiVersion: "2024-10-21",
      model: "gpt-4o",
    });
    await collect(model);
    expect(sent[0]?.url.pathname).toBe("/openai/deployments/my-gpt/chat/completions");
    expect(sent[0]?.url.search).toBe("?api-version=2024-10-21");
  });

  it("names the server in its errors", async () => {
    const { last } = summary(
      await collect(setUp({ status: 404, body: '{"error":"model \'llama9\' not found"}' }, { preset: "ollama" }).model),
    );
    expect(last).toMatchObject({
      type: "error",
      error: {
        code: "invalid_config",
        message: "Ollama does not know this model or address: model 'llama9' not found",
      },
    });
  });

  it("calls a server that nobody named “the OpenAI-compatible server”", async () => {
    const refused = async (status: number) =>
      summary(await collect(setUp({ status, body: '{"error":"No."}' }).model)).last;
    expect(await refused(401)).toMatchObject({
      error: { message: expect.stringMatching(/^The OpenAI-compatible server refused the credential/) },
    });
    expect(await refused(402)).toMatchObject({
      error: { message: expect.stringMatching(/^The OpenAI-compatible server asks for payment/) },
    });
  });

  const spoken: [shape: string, status: number, body: unknown, code: string, retryable: boolean, words: string][] = [
    [
      "OpenAI",
      400,
      { error: { message: "No such route.", type: "t", code: null } },
      "model_error",
      false,
      "No such route.",
    ],
    ["Ollama", 400, { error: "No such route." }, "model_error", false, "No such route."],
    [
      "xAI",
      429,
      {
        code: "Some resource has been exhausted",
        error: "Your team has either used all available credits or reached its limit.",
      },
      "rate_limit",
      false,
      "Your team",
    ],
    [
      "DeepSeek",
      402,
      { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
      "rate_limit",
      false,
      "Insufficient Balance",
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message: "Unexpected role 'user' after role 'tool'",
        type: "invalid_request_message_order",
        code: "3230",
      },
      "model_error",
      false,
      "after role 'tool'",
    ],
    [
      "FastAPI",
      422,
      { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted", type: "extra_forbidden" }] },
      "model_error",
      false,
      "body.stream_options: Extra inputs are not permitted",
    ],
    ["FastAPI's text", 400, { detail: "No such route." }, "model_error", false, "No such route."],
    [
      "Google",
      429,
      [
        {
          error: {
            code: 429,
            message: "You exceeded your current quota, please check your plan and billing details.",
            status: "RESOURCE_EXHAUSTED",
            details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26s" }],
          },
        },
      ],
      "rate_limit",
      true,
      "exceeded your current quota",
    ],
    [
      "Cloudflare",
      401,
      { success: false, errors: [{ code: 10000, message: "Authentication error" }] },
      "invalid_credentials",
      false,
      "Authentication error",
    ],
    [
      "MiniMax",
      500,
      { base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
      "rate_limit",
      false,
      "insufficient balance",
    ],
    ["Baidu", 400, { error_code: 336003, error_msg: "No such route." }, "model_error", false, "No such route."],
    ["problem details", 503, { title: "Busy", detail: "Come back.", status: 503 }, "model_error", true, "Come back."],
    ["a message alone", 400, { msg: "No such route." }, "model_error", false, "No such route."],
    [
      "OpenRouter",
      429,
      {
        error: {
          code: 429,
          message: "Provider returned error",
          metadata: { provider_name: "Acme AI", raw: "Slow down" },
        },
      },
      "rate_limit",
      true,
      "Provider returned error (Acme AI: Slow down)",
    ],
    [
      "OpenRouter's moderation",
      403,
      {
        error: {
          code: 403,
          message: "Your chosen model requires moderation and your input was flagged",
          metadata: { reasons: ["violence"] },
        },
      },
      "content_filter",
      false,
      "(violence)",
    ],
  ];

  it.each(spoken)("finds the reason where %s puts it", async (_shape, status, body, code, retryable, words) => {
    const { last } = summary(await collect(setUp({ status, body: JSON.stringify(body) }).model));
    expect(last).toMatchObject({ type: "error", error: { code, retryable, message: expect.stringContaining(words) } });
  });

  it("waits as long as Google tells in its own details", async () => {
    const body = [
      {
        error: {
          code: 429,
          message: "Quota.",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26s" }],
        },
      },
    ];
    const { last } = summary(await collect(setUp({ status: 429, body: JSON.stringify(body) }).model));
    expect(last).toMatchObject({ error: { retryAfterMs: 26_000 } });
  });

  it("keeps the words and the status of an error that came with status 200, and does not ask again without credit", async () => {
    for (const streaming of [true, false]) {
      const { last } = summary(
        await collect(setUp(chat.errorWithStatus200, { preset: "openrouter", streaming }).model),
      );
      expect(last).toMatchObject({
        type: "error",
        error: { code: "rate_limit", retryable: false, message: expect.stringContaining("Insufficient credits") },
      });
    }
    const { text, last } = summary(await collect(setUp(chat.providerFailedInStream, { preset: "openrouter" }).model));
    expect(text).toBe("Half");
    expect(last).toMatchObject({
      type: "error",
      error: {
        code: "model_error",
        retryable: true,
        cause: { status: 502 },
        message: expect.stringContaining("GPU on fire"),
      },
    });
  });

  it("takes a whole answer where a stream was asked for", async () => {
    expect(summary(await collect(setUp(chat.whole).model)).text).toBe("In one piece.");
  });

  it("puts OpenRouter's notes together before they go back", async () => {
    const { last } = summary(await collect(setUp(chat.detailsInPieces, { preset: "openrouter" }).model));
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const second = setUp(chat.text, { preset: "openrouter" });
    await collect(second.model, modelRequest({ messages: [last.message] }));
    expect(second.sent[0]?.body).toMatchObject({
      messages: [
        {
          reasoning_details: [
            { type: "reasoning.text", text: "Let me add.", signature: "c2ln", index: 0, format: "anthropic-claude-v1" },
            { type: "reasoning.encrypted", data: "abc", id: "r1", index: 1 },
          ],
        },
      ],
    });
  });

  it("shows what an answer cites", async () => {
    const sources = [{ url: "https://example.com/sky", title: "The sky" }];
    const cited = summary(await collect(setUp(chat.perplexity).model)).last;
    expect(cited).toMatchObject({ message: { sources: [...sources, { url: "https://example.org/blue" }] } });
    expect(summary(await collect(setUp(chat.urlCitations, { preset: "openrouter" }).model)).last).toMatchObject({
      message: { sources },
    });
  });

  it("counts what xAI counts beside the answer, and Kimi's cached tokens", async () => {
    expect(summary(await collect(setUp(chat.xaiUsage, { preset: "xai" }).model)).last).toMatchObject({
      usage: { inputTokens: 32, cachedInputTokens: 6, outputTokens: 103, reasoningTokens: 94 },
    });
    expect(summary(await collect(setUp(chat.kimiUsage).model)).last).toMatchObject({
      usage: { inputTokens: 20, cachedInputTokens: 12, outputTokens: 4 },
    });
  });
});

/** A question, a call and its result, as a server's own answer began them. */
function turnAfter(message: Message): Message[] {
  return [
    { role: "user", parts: [{ type: "text", text: "1+1?" }] },
    message,
    { role: "tool", callId: "call_a", toolName: "calculator", ok: true, text: "2" },
  ];
}

async function answerTo(recording: Recording, settings: JsonObject): Promise<Message> {
  const { last } = summary(await collect(setUp(recording, settings).model));
  if (last?.type !== "finish") throw new Error("It did not finish.");
  return last.message;
}

describe("thinking between calls", () => {
  const earlier: Message = { role: "assistant", parts: [{ type: "text", text: "Hello." }] };
  const recalled: Message[] = [{ role: "user", parts: [{ type: "text", text: "Hi" }] }, earlier];

  async function sentTo(settings: JsonObject): Promise<unknown> {
    const message = await answerTo(chat.thinkingAndCall, settings);
    const { model, sent } = setUp(chat.text, settings);
    await collect(model, modelRequest({ messages: [...recalled, ...turnAfter(message)] }));
    return sent[0]?.body;
  }

  it("goes back to the servers that send it", async () => {
    for (const preset of ["vllm", "lm-studio", "xai", "custom"]) {
      expect(await sentTo({ preset })).toMatchObject({
        messages: [
          {},
          {},
          {},
          { role: "assistant", content: null, reasoning_content: "Let me add." },
          { role: "tool" },
        ],
      });
    }
  });

  it("is never missing where DeepSeek and Kimi refuse an answer without it", async () => {
    for (const settings of [
      { preset: "deepseek", model: "deepseek-v4-pro" },
      { preset: "custom", model: "kimi-k2-thinking" },
    ]) {
      expect(await sentTo(settings)).toMatchObject({
        messages: [{}, { reasoning_content: " " }, {}, { reasoning_content: "Let me add." }, { role: "tool" }],
      });
    }
  });

  it("is kept from servers that refuse what they do not know", async () => {
    for (const preset of ["groq", "mistral", "azure"])
      expect(JSON.stringify(await sentTo({ preset }))).not.toContain("reasoning_content");
  });
});

const mistralBody = z.looseObject({
  messages: z.array(
    z.object({
      role: z.string(),
      tool_call_id: z.optional(z.string()),
      tool_calls: z.optional(z.array(z.object({ id: z.string() }))),
    }),
  ),
});

describe("Mistral", () => {
  const mistral = { preset: "mistral", model: "magistral-medium-latest" };

  it("tells text and thinking apart among the parts of the content, and gives them back so", async () => {
    const { text, reasoning, last } = summary(await collect(setUp(chat.mistralThinking, mistral).model));
    expect([text, reasoning]).toEqual(["It is two.", "Let me add."]);
    expect(last).toMatchObject({ finishReason: "stop", usage: { inputTokens: 5, outputTokens: 9 } });
    if (last?.type !== "finish") throw new Error("It did not finish.");
    const { model, sent } = setUp(chat.text, mistral);
    await collect(
      model,
      modelRequest({ messages: [last.message, { role: "user", parts: [{ type: "text", text: "Sure?" }] }] }),
    );
    expect(sent[0]?.body).toMatchObject({
      messages: [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "Let me add." }] },
            { type: "text", text: "It is two." },
          ],
        },
        { role: "user", content: "Sure?" },
      ],
    });
  });

  it("is sent nothing that it refuses: stream options, a seed, a user right after a tool, other vendors' call ids", async () => {
    const { model, sent } = setUp(chat.text, { ...mistral, seed: 7 });
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "call_a", toolName: "calculator", arguments: "{}" }],
    };
    const review: Message = { role: "user", parts: [{ type: "text", text: "Review it." }] };
    await collect(model, modelRequest({ messages: [...turnAfter(call), review] }));
    const { messages, ...body } = mistralBody.parse(sent[0]?.body);
    expect(body).toMatchObject({ stream: true, random_seed: 7 });
    expect(body).not.toHaveProperty("seed");
    expect(body).not.toHaveProperty("stream_options");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(messages[2]?.tool_call_id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(messages[1]?.tool_calls?.[0]?.id).toBe(messages[2]?.tool_call_id);
  });

  it("is known by its models on other servers too", async () => {
    const { model, sent } = setUp(chat.text, { preset: "vllm", model: "mistralai/Devstral-Small-2-24B" });
    const call: Message = {
      role: "assistant",
      parts: [{ type: "tool-call", callId: "call_a", toolName: "calculator", arguments: "{}" }],
    };
    await collect(
      model,
      modelRequest({ messages: [...turnAfter(call), { role: "user", parts: [{ type: "text", text: "Go on." }] }] }),
    );
    expect(sent[0]?.body).toMatchObject({ messages: [{}, {}, {}, { role: "assistant" }, {}], stream_options: {} });
  });
});
