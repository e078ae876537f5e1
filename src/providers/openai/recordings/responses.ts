import { drawnPicture, searchCall } from "../../testing/own-searches.ts";
import { namedEvents } from "../../testing/sse.ts";
import type { Recording } from "../../testing/replay.ts";

/** Responses API answers after the vendor's API reference ("Responses", "Streaming events"). */

const reasoningItem = {
  id: "rs_1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Adding numbers." }],
  encrypted_content: "gAAAA-encrypted",
};

const callA = {
  id: "fc_1",
  type: "function_call",
  status: "completed",
  call_id: "call_a",
  name: "calculator",
  arguments: '{"expression":"1+1"}',
};

const callB = { ...callA, id: "fc_2", call_id: "call_b", name: "http", arguments: '{"url":"https://example.com"}' };

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Grüße 🌍", annotations: [], logprobs: [] }],
};

const refusedMessage = { ...message, content: [{ type: "refusal", refusal: "I cannot do that." }] };

function response(status: string, output: object[], more: object = {}): object {
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: "gpt-5-mini",
    output,
    usage: {
      input_tokens: 40,
      input_tokens_details: { cached_tokens: 32 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 12 },
      total_tokens: 60,
    },
    ...more,
  };
}

const created = { type: "response.created", response: response("in_progress", []) };

export const textAnswer: Recording = {
  body: namedEvents(
    created,
    { type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } },
    { type: "response.output_text.delta", delta: "Grüße " },
    { type: "response.output_text.delta", delta: "🌍" },
    { type: "response.output_item.done", output_index: 0, item: message },
    { type: "response.completed", response: response("completed", [message]) },
  ),
};

export const reasoningAndCalls: Recording = {
  body: namedEvents(
    created,
    { type: "response.output_item.added", output_index: 0, item: { ...reasoningItem, summary: [] } },
    {
      type: "response.reasoning_summary_text.delta",
      item_id: "rs_1",
      output_index: 0,
      summary_index: 0,
      delta: "Adding ",
    },
    {
      type: "response.reasoning_summary_text.delta",
      item_id: "rs_1",
      output_index: 0,
      summary_index: 0,
      delta: "numbers.",
    },
    { type: "response.output_item.done", output_index: 0, item: reasoningItem },
    { type: "response.output_item.added", output_index: 1, item: { ...callA, arguments: "" } },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '{"expres' },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: 'sion":"1+1"}' },
    { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 1, arguments: callA.arguments },
    { type: "response.output_item.done", output_index: 1, item: callA },
    { type: "response.output_item.done", output_index: 2, item: callB },
    { type: "response.completed", response: response("completed", [reasoningItem, callA, callB]) },
  ),
};

export const refusal: Recording = {
  body: namedEvents(
    created,
    { type: "response.refusal.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "I cannot do that." },
    { type: "response.output_item.done", output_index: 0, item: refusedMessage },
    { type: "response.completed", response: response("completed", [refusedMessage]) },
  ),
};

export const lengthStop: Recording = {
  body: namedEvents(
    created,
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Grüße 🌍" },
    {
      type: "response.incomplete",
      response: response("incomplete", [message], { incomplete_details: { reason: "max_output_tokens" } }),
    },
  ),
};

/** Proxies of Copilot's kind give every piece an item id of its own. */
export const changingIds: Recording = {
  body: namedEvents(
    created,
    { type: "response.output_text.delta", item_id: "a1", output_index: 0, content_index: 0, delta: "Grüße" },
    { type: "response.output_text.delta", item_id: "b2", output_index: 0, content_index: 0, delta: " 🌍" },
    { type: "response.output_item.done", output_index: 0, item: message },
    { type: "response.completed", response: response("completed", [message]) },
  ),
};

export const failed: Recording = {
  body: namedEvents(created, {
    type: "response.failed",
    response: response("failed", [], {
      error: { code: "server_error", message: "The model failed to generate a response." },
      usage: null,
    }),
  }),
};

export const errorInStream: Recording = {
  body: namedEvents(
    created,
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Half" },
    { type: "error", code: "rate_limit_exceeded", message: "Rate limit reached.", param: null, sequence_number: 3 },
  ),
};

export const cutOff: Recording = {
  body: namedEvents(created, {
    type: "response.output_text.delta",
    item_id: "msg_1",
    output_index: 0,
    content_index: 0,
    delta: "Half",
  }),
};

export const whole: Recording = { body: JSON.stringify(response("completed", [reasoningItem, message])) };

/** After "Web search" and "Reasoning": a comment, a search, and an answer that cites. */
const twoThoughts = {
  ...reasoningItem,
  summary: [
    { type: "summary_text", text: "First." },
    { type: "summary_text", text: "Second." },
  ],
};

const comment = {
  ...message,
  id: "msg_0",
  phase: "commentary",
  content: [{ type: "output_text", text: "I will look.", annotations: [], logprobs: [] }],
};

const cited = {
  ...message,
  phase: "final_answer",
  content: [
    {
      type: "output_text",
      text: "It is blue.",
      annotations: [
        { type: "url_citation", url: "https://example.com/sky", title: "The sky", start_index: 0, end_index: 11 },
      ],
      logprobs: [],
    },
  ],
};

const summaryPart = (summary_index: number, text: string) => [
  { type: "response.reasoning_summary_part.added", item_id: "rs_1", output_index: 0, summary_index },
  { type: "response.reasoning_summary_text.delta", item_id: "rs_1", output_index: 0, summary_index, delta: text },
];

export const searched: Recording = {
  body: namedEvents(
    created,
    ...summaryPart(0, "First."),
    ...summaryPart(1, "Second."),
    { type: "response.output_text.delta", item_id: "msg_0", output_index: 1, content_index: 0, delta: "I will look." },
    { type: "response.web_search_call.in_progress", item_id: "ws_1", output_index: 2 },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 3, content_index: 0, delta: "It is " },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 3, content_index: 0, delta: "blue." },
    { type: "response.completed", response: response("completed", [twoThoughts, comment, searchCall, cited]) },
  ),
};

export const drew: Recording = {
  body: namedEvents(
    created,
    { type: "response.image_generation_call.generating", item_id: "ig_1", output_index: 1 },
    {
      type: "response.completed",
      response: response("completed", [
        reasoningItem,
        drawnPicture,
        { ...drawnPicture, id: "ig_2", status: "failed", result: null },
        message,
      ]),
    },
  ),
};

export const searchedWithoutCitation: Recording = {
  body: namedEvents(created, { type: "response.completed", response: response("completed", [searchCall, message]) }),
};

export const invalidPrompt: Recording = {
  body: namedEvents(created, {
    type: "response.failed",
    response: response("failed", [], {
      error: {
        code: "invalid_prompt",
        message: "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
      },
      usage: null,
    }),
  }),
};

export const unknownModel: Recording = {
  status: 404,
  body: JSON.stringify({
    error: {
      message: "The model does not exist.",
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    },
  }),
};
