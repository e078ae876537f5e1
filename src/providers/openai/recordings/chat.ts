import { dataEvents } from "../../testing/sse.ts";
import type { Recording } from "../../testing/replay.ts";
import { pdfNote } from "./chat-with.ts";

/** Chat Completions answers after the vendor's API reference ("Chat Completions", "Streaming"). */

const head = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "gpt-4o-mini-2024-07-18",
};

function chunk(delta: object, finish: string | null = null): object {
  return { ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null };
}

function usage(details: object = {}): object {
  return {
    ...head,
    choices: [],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, ...details },
  };
}

const opening = chunk({ role: "assistant", content: "", refusal: null });

/** An image model behind OpenRouter, which sends pictures in a member of their own. */
export const picture: Recording = {
  body: dataEvents(
    opening,
    chunk({ content: "A lamp:" }),
    chunk({ images: [{ type: "image_url", image_url: { url: "data:image/png;base64,UElDVFVSRQ==" } }] }),
    chunk({}, "stop"),
  ),
};

export const text: Recording = {
  body: dataEvents(
    opening,
    chunk({ content: "Grüße, " }),
    chunk({ content: "世界 🌍" }),
    chunk({ content: "!" }),
    chunk({}, "stop"),
    usage({
      prompt_tokens_details: { cached_tokens: 16, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 4, audio_tokens: 0 },
    }),
    "[DONE]",
  ),
};

/** A local server that leaves the thought in the text, and sends arguments as an object. */
export const taggedThought: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", content: "<thi" }),
    chunk({ content: "nk>Multiply.</think>\n\nSo:" }),
    chunk({ tool_calls: [{ index: 0, id: "call_a", function: { name: "calculator", arguments: { a: 2 } } }] }),
    chunk({}, "tool_calls"),
    "[DONE]",
  ),
};

export const oneCall: Recording = {
  body: dataEvents(
    chunk({
      role: "assistant",
      content: null,
      tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "calculator", arguments: "" } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"expr' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: 'ession":"2' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ' × 3"}' } }] }),
    chunk({}, "tool_calls"),
    usage(),
    "[DONE]",
  ),
};

export const parallelCalls: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", content: "Both at once." }),
    chunk({
      tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "calculator", arguments: "" } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"expression"' } }] }),
    chunk({ tool_calls: [{ index: 1, id: "call_b", type: "function", function: { name: "http", arguments: "" } }] }),
    chunk({ tool_calls: [{ index: 1, function: { arguments: '{"url":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':"1+1"}' } }] }),
    chunk({ tool_calls: [{ index: 1, function: { arguments: '"https://example.com"}' } }] }),
    chunk({}, "tool_calls"),
    usage(),
    "[DONE]",
  ),
};

/** Ollama and others: whole calls, all under index 0, finished with `stop`. */
export const wholeCalls: Recording = {
  body: dataEvents(
    chunk({ tool_calls: [{ index: 0, id: "call_a", type: "function", function: { name: "one", arguments: "{}" } }] }),
    chunk({ tool_calls: [{ index: 0, id: "call_b", type: "function", function: { name: "two", arguments: "{}" } }] }),
    chunk({}, "stop"),
    "[DONE]",
  ),
};

/** DeepSeek and vLLM: thinking in `reasoning_content`, then a call. */
export const thinkingAndCall: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", reasoning_content: "Let me " }),
    chunk({ reasoning_content: "add." }),
    chunk({
      tool_calls: [
        {
          index: 0,
          id: "call_a",
          type: "function",
          function: { name: "calculator", arguments: '{"expression":"1+1"}' },
        },
      ],
    }),
    chunk({}, "tool_calls"),
    "[DONE]",
  ),
};

export const refusal: Recording = {
  body: dataEvents(
    opening,
    chunk({ refusal: "I cannot " }),
    chunk({ refusal: "do that." }),
    chunk({}, "stop"),
    usage(),
    "[DONE]",
  ),
};

export const filtered: Recording = {
  body: dataEvents(opening, chunk({ content: "Well" }), chunk({}, "content_filter"), usage(), "[DONE]"),
};

/** A finish word that only some servers have. */
const ended = (reason: string): Recording => ({
  body: dataEvents(chunk({ role: "assistant", content: "Half" }), chunk({}, reason), "[DONE]"),
});

/** The same beside a call whose arguments may not be whole. */
const endedInCall = (reason: string): Recording => ({
  body: dataEvents(
    chunk({ tool_calls: [{ index: 0, id: "call_a", function: { name: "clock", arguments: "{}" } }] }),
    chunk({}, reason),
    "[DONE]",
  ),
});

export const aborted = ended("abort");
export const abortedCall = endedInCall("abort");
export const noResources = ended("insufficient_system_resource");
export const noResourcesCall = endedInCall("insufficient_system_resource");
export const unknownReason = ended("tired");
export const unknownReasonCall = endedInCall("tired");
export const loudStop = ended("STOP");

export const lengthStop: Recording = {
  body: dataEvents(opening, chunk({ content: "Cut sho" }), chunk({}, "length"), usage(), "[DONE]"),
};

export const errorInStream: Recording = {
  body:
    dataEvents(opening, chunk({ content: "Half" })) +
    dataEvents({
      error: { message: "The server had an error while processing your request.", type: "server_error", code: null },
    }),
};

export const cutOff: Recording = { body: dataEvents(opening, chunk({ content: "Half an ans" })) };

const saidAll = chunk({ content: "All of it." });

function callWith(written: string): object {
  return chunk({ tool_calls: [{ index: 0, id: "call_a", function: { name: "sum", arguments: written } }] });
}

/** Kimi at OpenRouter, Snowflake: no reason at the end. */
export const onlyDone: Recording = { body: dataEvents(opening, saidAll, "[DONE]") };
export const onlyDoneCall: Recording = { body: dataEvents(opening, callWith('{"a":1}'), "[DONE]") };
export const onlyDoneHalfCall: Recording = { body: dataEvents(opening, callWith('{"a":'), "[DONE]") };
export const onlyDoneNothing: Recording = { body: dataEvents(opening, "[DONE]") };
export const emptyReason: Recording = { body: dataEvents(opening, saidAll, chunk({}, ""), "[DONE]") };

/** Groq ("Tool use", errors). */
const unreadable = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: "invalid_request_error",
  code: "tool_use_failed",
  failed_generation: '<function=clock{"zone": }',
};
export const unreadableCallInStream: Recording = { body: dataEvents(opening, { error: unreadable }) };

/** OpenRouter, after it has read a PDF. */
export const readPdf: Recording = {
  body: dataEvents(opening, chunk({ content: "They rose.", annotations: [pdfNote] }), chunk({}, "stop"), "[DONE]"),
};

export const malformed: Recording = {
  body: `${dataEvents(opening, chunk({ content: "Half" }))}data: {"id": "x", "choi\n\n`,
};

function refuse(status: number, error: object, headers: Record<string, string> = {}): Recording {
  return { status, headers, body: JSON.stringify({ error: { param: null, ...error } }) };
}

export const unreadableCall = refuse(400, unreadable);

export const unauthorized = refuse(401, {
  message: "Incorrect API key provided.",
  type: "invalid_request_error",
  code: "invalid_api_key",
});

export const rateLimited = refuse(
  429,
  { message: "Rate limit reached for gpt-4o-mini.", type: "requests", code: "rate_limit_exceeded" },
  { "retry-after": "7", "x-request-id": "req_1" },
);

export const noQuota = refuse(429, {
  message: "You exceeded your current quota, please check your plan and billing details.",
  type: "insufficient_quota",
  code: "insufficient_quota",
});

export const overloaded = refuse(503, {
  message: "The engine is currently overloaded.",
  type: "server_error",
  code: null,
});

export const tooLong = refuse(400, {
  message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
  type: "invalid_request_error",
  code: "context_length_exceeded",
});

export const azureFiltered = refuse(400, {
  message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  type: null,
  code: "content_filter",
});

export const whole: Recording = {
  body: JSON.stringify({
    id: "chatcmpl-2",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "gpt-4o-mini",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "In one piece.",
          refusal: null,
          tool_calls: [
            { id: "call_a", type: "function", function: { name: "calculator", arguments: '{"expression":"1+1"}' } },
          ],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
  }),
};

/** Mistral ("Reasoning"): thinking and text as parts of the content, the usage unasked in the last chunk. */
export const mistralThinking: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", content: [{ type: "thinking", thinking: [{ type: "text", text: "Let me " }] }] }),
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "add." }] }] }),
    chunk({ content: [{ type: "text", text: "It is " }] }),
    chunk({ content: "two." }),
    { ...chunk({ content: "" }, "stop"), usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } },
    "[DONE]",
  ),
};

/** Kimi: the usage stands in the choice and names cached tokens at its top. */
export const kimiUsage: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", content: "Hi" }),
    {
      ...head,
      choices: [
        {
          index: 0,
          delta: {},
          finish_reason: "stop",
          usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24, cached_tokens: 12 },
        },
      ],
    },
    "[DONE]",
  ),
};

/** xAI ("Consumption"): thinking is counted beside the completion, and in the sum. */
export const xaiUsage: Recording = {
  body: dataEvents(
    opening,
    chunk({ content: "Hi" }),
    chunk({}, "stop"),
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        prompt_tokens_details: { cached_tokens: 6 },
        completion_tokens_details: { reasoning_tokens: 94 },
      },
    },
    "[DONE]",
  ),
};

/** OpenRouter ("Errors and debugging"): the status is in the code, the other side's words in `metadata`. */
const providerError = (code: number, message: string, metadata: object = {}) => ({
  error: { code, message, metadata },
});

export const errorWithStatus200: Recording = { body: JSON.stringify(providerError(402, "Insufficient credits")) };

export const providerFailedInStream: Recording = {
  body: dataEvents(chunk({ role: "assistant", content: "Half" }), {
    ...chunk({ content: "" }, "error"),
    ...providerError(502, "Provider returned error", { provider_name: "Acme AI", raw: '{"message":"GPU on fire"}' }),
  }),
};

/** OpenRouter streams one note in pieces. */
export const detailsInPieces: Recording = {
  body: dataEvents(
    chunk({
      role: "assistant",
      reasoning: "Let ",
      reasoning_details: [{ type: "reasoning.text", text: "Let ", index: 0, format: "anthropic-claude-v1" }],
    }),
    chunk({
      reasoning: "me add.",
      reasoning_details: [{ type: "reasoning.text", text: "me add.", index: 0, format: "anthropic-claude-v1" }],
    }),
    chunk({
      reasoning_details: [{ type: "reasoning.text", signature: "c2ln", index: 0, format: "anthropic-claude-v1" }],
    }),
    chunk({ reasoning_details: [{ type: "reasoning.encrypted", data: "abc", id: "r1", index: 1 }] }),
    chunk({ content: "Two." }),
    chunk({}, "stop"),
    "[DONE]",
  ),
};

/** Perplexity: what it read stands beside the choices, in every chunk. */
const read = {
  citations: ["https://example.com/sky", "https://example.org/blue"],
  search_results: [{ title: "The sky", url: "https://example.com/sky", date: "2026-01-02" }],
};

export const perplexity: Recording = {
  body: dataEvents(
    { ...chunk({ role: "assistant", content: "Blue [1]" }), ...read },
    { ...chunk({ content: "[2]." }, "stop"), ...read },
    "[DONE]",
  ),
};

/** OpenAI's search models and OpenRouter's web search. */
export const urlCitations: Recording = {
  body: dataEvents(
    chunk({ role: "assistant", content: "Blue." }),
    chunk({
      annotations: [
        {
          type: "url_citation",
          url_citation: { url: "https://example.com/sky", title: "The sky", start_index: 0, end_index: 5 },
        },
      ],
    }),
    chunk({}, "stop"),
    "[DONE]",
  ),
};
