import { namedEvents } from "../../testing/sse.ts";
import type { Recording } from "../../testing/replay.ts";

/** Messages API answers after the vendor's reference ("Streaming messages", "Errors"). */

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 20, cache_creation_input_tokens: 100, cache_read_input_tokens: 400, output_tokens: 1 },
  },
};

const ping = { type: "ping" };

function blockStart(index: number, content_block: object) {
  return { type: "content_block_start", index, content_block };
}

function blockDelta(index: number, delta: object) {
  return { type: "content_block_delta", index, delta };
}

function blockStop(index: number) {
  return { type: "content_block_stop", index };
}

function end(reason: string, more: object = {}) {
  return [
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null, ...more },
      usage: { output_tokens: 33 },
    },
    { type: "message_stop" },
  ];
}

const textStart = blockStart(0, { type: "text", text: "" });

function textPiece(text: string) {
  return blockDelta(0, { type: "text_delta", text });
}

function toolStart(index: number, id: string, name: string) {
  return blockStart(index, { type: "tool_use", id, name, input: {} });
}

function toolPiece(index: number, partial_json: string) {
  return blockDelta(index, { type: "input_json_delta", partial_json });
}

export const text: Recording = {
  body: namedEvents(
    start,
    textStart,
    ping,
    textPiece("Grüße, "),
    textPiece("世界 🌍"),
    blockStop(0),
    ...end("end_turn"),
  ),
};

export const oneCall: Recording = {
  body: namedEvents(
    start,
    toolStart(0, "toolu_a", "calculator"),
    toolPiece(0, ""),
    toolPiece(0, '{"expr'),
    toolPiece(0, 'ession": "1+1"}'),
    blockStop(0),
    ...end("tool_use"),
  ),
};

export const parallelCalls: Recording = {
  body: namedEvents(
    start,
    textStart,
    textPiece("Both at once."),
    blockStop(0),
    toolStart(1, "toolu_a", "calculator"),
    toolPiece(1, '{"expression":'),
    toolPiece(1, '"1+1"}'),
    blockStop(1),
    toolStart(2, "toolu_b", "clock"),
    blockStop(2),
    ...end("tool_use"),
  ),
};

export const thinkingAndCall: Recording = {
  body: namedEvents(
    start,
    blockStart(0, { type: "thinking", thinking: "", signature: "" }),
    blockDelta(0, { type: "thinking_delta", thinking: "Let me " }),
    blockDelta(0, { type: "thinking_delta", thinking: "add." }),
    blockDelta(0, { type: "signature_delta", signature: "c2lnbmF0" }),
    blockDelta(0, { type: "signature_delta", signature: "dXJl" }),
    blockStop(0),
    blockStart(1, { type: "redacted_thinking", data: "cmVkYWN0ZWQ=" }),
    blockStop(1),
    toolStart(2, "toolu_a", "calculator"),
    toolPiece(2, '{"expression":"1+1"}'),
    blockStop(2),
    ...end("tool_use"),
  ),
};

/** Gateways leave out what comes later. */
export const bareThinking: Recording = {
  body: namedEvents(
    start,
    blockStart(0, { type: "thinking" }),
    blockDelta(0, { type: "thinking_delta", thinking: "Hm." }),
    blockStop(0),
    blockStart(1, { type: "text", text: "Yes." }),
    blockStop(1),
    ...end("end_turn"),
  ),
};

export const refusal: Recording = {
  body: namedEvents(
    start,
    ...end("refusal", { stop_details: { type: "refusal", category: "cyber", explanation: "It could do harm." } }),
  ),
};

export const lengthStop: Recording = {
  body: namedEvents(start, textStart, textPiece("Cut sho"), blockStop(0), ...end("max_tokens")),
};

export const reasonedOnly: Recording = {
  body: namedEvents(
    start,
    blockStart(0, { type: "thinking", thinking: "Hm", signature: "c2ln" }),
    blockStop(0),
    ...end("max_tokens"),
  ),
};

/** The tokens ran out before a word of the second call's arguments came. */
export const cutCall: Recording = {
  body: namedEvents(
    start,
    toolStart(0, "toolu_a", "calculator"),
    toolPiece(0, '{"expression":"1+1"}'),
    blockStop(0),
    toolStart(1, "toolu_b", "calculator"),
    blockStop(1),
    ...end("max_tokens"),
  ),
};

export const contextFull: Recording = {
  body: namedEvents(start, textStart, textPiece("No room"), blockStop(0), ...end("model_context_window_exceeded")),
};

/** After "Handling stop reasons": a turn paused in the middle of the vendor's own search. */
export const paused: Recording = {
  body: namedEvents(
    start,
    textStart,
    textPiece("Let me search. "),
    blockStop(0),
    blockStart(1, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
    blockDelta(1, { type: "input_json_delta", partial_json: '{"query":"sky"}' }),
    blockStop(1),
    ...end("pause_turn"),
  ),
};

const found = (url: string, title: string) => ({
  type: "web_search_result",
  url,
  title,
  encrypted_content: "ZW5j",
  page_age: null,
});

const search = [
  blockStart(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
  blockDelta(0, { type: "input_json_delta", partial_json: '{"query":"sky"}' }),
  blockStop(0),
  blockStart(1, {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: [found("https://example.com/sky", "Sky"), found("https://example.org/blue", "Blue")],
  }),
  blockStop(1),
];

const answered = (index: number, text: string) => [
  blockStart(index, { type: "text", text: "" }),
  blockDelta(index, { type: "text_delta", text }),
];

/** After "Web search tool": what is cited comes in blocks of its own. */
export const searched: Recording = {
  body: namedEvents(
    start,
    ...search,
    ...answered(2, "It is "),
    blockStop(2),
    blockStart(3, { type: "text", text: "", citations: [] }),
    blockDelta(3, { type: "text_delta", text: "blue" }),
    blockDelta(3, {
      type: "citations_delta",
      citation: {
        type: "web_search_result_location",
        url: "https://example.com/sky",
        title: "Sky",
        encrypted_index: "aW5k",
        cited_text: "The sky is blue.",
      },
    }),
    blockStop(3),
    ...end("end_turn"),
  ),
};

export const searchedWithoutCitation: Recording = {
  body: namedEvents(start, ...search, ...answered(2, "Blue."), blockStop(2), ...end("end_turn")),
};

export const searchFailed: Recording = {
  body: namedEvents(
    start,
    ...search.slice(0, 3),
    blockStart(1, {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
    }),
    blockStop(1),
    ...answered(2, "I do not know."),
    blockStop(2),
    ...end("end_turn"),
  ),
};

export const overloadedInStream: Recording = {
  body: namedEvents(start, textStart, textPiece("Half"), {
    type: "error",
    error: { type: "overloaded_error", message: "Overloaded" },
  }),
};

export const cutOff: Recording = { body: namedEvents(start, textStart, textPiece("Half an ans")) };

export const malformed: Recording = {
  body: `${namedEvents(start, textStart, textPiece("Half"))}event: content_block_delta\ndata: {"type": "content_blo\n\n`,
};

function refuse(status: number, type: string, message: string, headers: Record<string, string> = {}): Recording {
  const body = JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
  return { status, headers: { "request-id": "req_1", ...headers }, body };
}

export const unauthorized = refuse(401, "authentication_error", "invalid x-api-key");
export const rateLimited = refuse(429, "rate_limit_error", "This request would exceed your rate limit.", {
  "retry-after": "12",
});
export const overloaded = refuse(529, "overloaded_error", "Overloaded");
export const tooLong = refuse(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum");
export const noCredit = refuse(
  400,
  "invalid_request_error",
  "Your credit balance is too low to access the Anthropic API.",
);
export const unknownModel = refuse(404, "not_found_error", "model: claude-9");

export const whole: Recording = {
  body: JSON.stringify({
    id: "msg_2",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "text", text: "In one piece." },
      { type: "tool_use", id: "toolu_a", name: "calculator", input: { expression: "1+1" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 },
  }),
};

/** A gateway's error that came with status 200. */
export const wholeError: Recording = {
  body: JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded for now" } }),
};

export const models: Recording = {
  body: JSON.stringify({
    data: [
      { type: "model", id: "claude-sonnet-5-5", display_name: "Claude Sonnet 5.5", lifecycle: "active" },
      { type: "model", id: "claude-sonnet-4-5", display_name: "Claude Sonnet 4.5", lifecycle: "deprecated" },
    ],
    has_more: false,
    first_id: "claude-sonnet-5-5",
    last_id: "claude-sonnet-4-5",
  }),
};
