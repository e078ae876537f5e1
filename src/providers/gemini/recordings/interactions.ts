import { searchSteps } from "../../testing/own-searches.ts";
import type { Recording } from "../../testing/replay.ts";
import { interactionEvents } from "../../testing/sse.ts";

/**
 * Interactions API answers after the vendor's pages "Streaming interactions", "Thinking", "Function calling", "Tool combination" and
 * "API errors".
 */

const interaction = { id: "", object: "interaction", model: "gemini-3-flash-preview" };
const created = [
  { interaction: { ...interaction, status: "in_progress" }, event_type: "interaction.created" },
  { interaction_id: "", status: "in_progress", event_type: "interaction.status_update" },
];

const usage = {
  total_tokens: 38,
  total_input_tokens: 20,
  input_tokens_by_modality: [{ modality: "text", tokens: 20 }],
  total_cached_tokens: 16,
  total_output_tokens: 10,
  total_tool_use_tokens: 3,
  total_thought_tokens: 5,
};

function completed(status = "completed", more: object = {}) {
  const times = { created: "2026-05-12T18:44:51Z", updated: "2026-05-12T18:44:51Z", service_tier: "standard" };
  return { interaction: { ...interaction, status, usage, ...times, ...more }, event_type: "interaction.completed" };
}

const start = (index: number, step: object) => ({ index, step, event_type: "step.start" });
const delta = (index: number, piece: object) => ({ index, delta: piece, event_type: "step.delta" });
const stop = (index: number) => ({ index, event_type: "step.stop" });

/** A step with its pieces. */
const step = (index: number, begin: object, ...pieces: object[]) => [
  start(index, begin),
  ...pieces.map((piece) => delta(index, piece)),
  stop(index),
];

const thought = (index: number, signature = "dGhvdWdodA==") =>
  step(index, { type: "thought" }, { signature, type: "thought_signature" });
const says = (index: number, ...texts: string[]) =>
  step(index, { type: "model_output" }, ...texts.map((words) => ({ text: words, type: "text" })));
const calls = (index: number, id: string, name: string, ...pieces: string[]) =>
  step(
    index,
    { id, signature: "", type: "function_call", name, arguments: {} },
    ...pieces.map((piece) => ({ arguments: piece, type: "arguments_delta" })),
  );

export const text: Recording = {
  body: interactionEvents(...created, ...thought(0), ...says(1, "Grüße, ", "世界 🌍", "!"), completed()),
};

export const oneCall: Recording = {
  body: interactionEvents(
    ...created,
    ...thought(0),
    ...calls(1, "61nzpsv4", "calculator", '{"expression":', '"2 × 3"}'),
    completed("requires_action"),
  ),
};

export const parallelCalls: Recording = {
  body: interactionEvents(
    ...created,
    ...thought(0),
    ...says(1, "Both at once."),
    ...calls(2, "call-a", "calculator", '{"expression":"1+1"}'),
    ...calls(3, "call-b", "clock"),
    completed("requires_action"),
  ),
};

export const thinkingAndText: Recording = {
  body: interactionEvents(
    ...created,
    ...step(
      0,
      { type: "thought" },
      { content: { text: "Let me ", type: "text" }, type: "thought_summary" },
      { content: { text: "think.", type: "text" }, type: "thought_summary" },
      { signature: "dGhvdWdodA==", type: "thought_signature" },
    ),
    ...says(1, "Done"),
    completed(),
  ),
};

/** After "Thinking": a step may begin with its first piece. */
export const pieceInStart: Recording = {
  body: interactionEvents(
    ...created,
    ...step(
      0,
      { signature: "", summary: [{ text: "**Clues**", type: "text" }], type: "thought" },
      { signature: "dGhvdWdodA==", type: "thought_signature" },
    ),
    ...step(
      1,
      { content: [{ text: "Based on the clues", type: "text" }], type: "model_output" },
      { text: ", blue.", type: "text" },
    ),
    ...step(2, { id: "call-a", type: "function_call", name: "calculator", arguments: { expression: "1" } }),
    completed("requires_action"),
  ),
};

/** After "Streaming with multiple tools" and "Grounding with Google Search". */
export const grounded: Recording = {
  body: interactionEvents(
    ...created,
    ...says(0, "Let me look."),
    ...searchSteps.flatMap(({ id, call_id, type, ...members }, index) =>
      step(index + 1, { ...(id ? { id } : { call_id }), signature: "", type }, { ...members, type }),
    ),
    ...thought(5),
    ...step(
      6,
      { type: "model_output" },
      { text: "Blue.", type: "text" },
      {
        annotations: [
          { start_index: 0, end_index: 5, url: "https://example.com/sky", title: "The sky", type: "url_citation" },
          { start_index: 0, end_index: 5, url: "https://example.com/sky", title: "The sky", type: "url_citation" },
        ],
        type: "text_annotation_delta",
      },
    ),
    completed(),
  ),
};

/** After "Streaming image generation". */
export const picture: Recording = {
  body: interactionEvents(
    ...created,
    ...step(
      0,
      { type: "model_output" },
      { text: "Here:", type: "text" },
      { type: "image", mime_type: "image/jpeg", data: "/9j/4AAQ" },
      { type: "image", mime_type: "image/jpeg", data: "SkZJRg==" },
    ),
    completed(),
  ),
};

/** An answer that ended with one of the API's words for a status. */
const ended = (status: string): Recording => ({
  body: interactionEvents(...created, ...says(0, "Cut sho"), completed(status)),
});
export const lengthStop = ended("incomplete");
export const budgetStop = ended("budget_exceeded");
export const decodeLimit = ended("requires_continuation");
export const cancelled = ended("cancelled");
export const unknownStatus = ended("something_new");
export const actionWithoutCall = ended("requires_action");

export const callCutShort: Recording = {
  body: interactionEvents(...created, ...thought(0), ...calls(1, "call-a", "clock"), completed("incomplete")),
};

export const failed: Recording = {
  body: interactionEvents(
    ...created,
    ...step(0, { type: "model_output", error: { code: 13, message: "Something broke." } }),
    completed("failed"),
  ),
};

/** The status update is the last that comes. */
export const endsByStatus: Recording = {
  body: interactionEvents(...created, ...says(0, "Half"), {
    interaction_id: "",
    status: "incomplete",
    event_type: "interaction.status_update",
  }),
};

function errorEvent(code: string, message: string): Recording {
  const error = { error: { message, code }, event_type: "error" };
  return { body: interactionEvents(...created, ...says(0, "Half"), error) };
}
export const errorInStream = errorEvent("gateway_timeout", "Deadline expired before operation could complete.");
export const overloadedInStream = errorEvent("service_unavailable", "The model is overloaded.");
export const limitInStream = errorEvent("rate_limit_exceeded", "Slow down. Please retry in 17.5s.");
export const malformedCall = errorEvent("malformed_function_call", "Malformed function call: calculator(");
export const safetyInStream = errorEvent("safety", "Blocked for safety.");

/** In a stream, refusals come as its first event. */
const refusedStream = (code: string, message: string): Recording => ({
  body: interactionEvents({ error: { message, code }, event_type: "error" }),
});
export const unsupportedInStream = refusedStream("invalid_request", "Model family gemini-9 is not supported.");
export const unsignedInStream = refusedStream("missing_thought_signature", "A required thought signature is missing.");

/** A thought in the middle of one value. */
export const jsonInTwo: Recording = {
  body: interactionEvents(...created, ...says(0, '{"a":"o'), ...thought(1), ...says(2, 'ne"}'), completed()),
};

/** The events of an answer that has just begun, without the end. */
const begun = interactionEvents(...created, ...says(0, "Half")).replace(/event: done.*/s, "");

/** A refusal that the API was seen to write as a bare line. */
const bare = { error: { message: "Request blocked due to prohibited content.", code: "prohibited_content" } };
export const bareRefusal: Recording = { body: `${begun}${JSON.stringify(bare)}\n` };
export const bareRefusalInLines: Recording = { body: `${begun}${JSON.stringify([bare], null, 2)}` };

export const cutOff: Recording = { body: begun };
export const malformed: Recording = { body: `${begun}event: step.delta\ndata: {"index":0,"del\n\n` };
export const cutInJson: Recording = { body: `${begun}event: step.delta\ndata: {"index":0,"del` };

function refuse(status: number, code: string, message: string): Recording {
  return { status, body: JSON.stringify({ error: { message, code } }) };
}

export const invalid = refuse(400, "invalid_request", "Request contains an invalid argument.");
export const badKey = refuse(400, "invalid_request", "API key not valid. Please pass a valid API key.");
export const unauthorized = refuse(401, "authentication", "The API key is invalid.");
export const unpaid = refuse(402, "payment_required", "Your prepaid credits are used up.");
export const rateLimited = refuse(
  429,
  "rate_limit_exceeded",
  "Quota exceeded per minute.\nPlease retry in 36.429760048s.",
);
export const dayIsSpent = refuse(429, "quota_exceeded", "You exceeded your current quota.");
export const tooMany = refuse(429, "too_many_requests", "Too many requests.");
/** Google's front end answers in the shape of all its APIs. */
export const resourceExhausted: Recording = {
  status: 429,
  body: JSON.stringify({
    error: {
      code: 429,
      message: "Resource has been exhausted.",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.5s" }],
    },
  }),
};
export const prohibited = refuse(400, "prohibited_content", "Prohibited content guidelines blocked the request.");
export const blockedInWords = refuse(400, "invalid_request", "Request blocked due to safety.");
export const unsigned = refuse(400, "missing_thought_signature", "A required thought signature is missing.");
export const overloaded = refuse(503, "service_unavailable", "The service is temporarily overloaded.");
export const tooLong = refuse(
  400,
  "invalid_request",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
);
export const unknownModel = refuse(404, "model_not_found", "The model gemini-9 was not found.");
export const noSuchPath: Recording = { status: 404, body: "Not Found" };
export const unsupportedModel = refuse(400, "invalid_request", "Model family gemini-9 is not supported.");

export const whole: Recording = {
  body: JSON.stringify({
    ...interaction,
    status: "requires_action",
    usage,
    steps: [
      { type: "user_input", content: [{ type: "text", text: "Hello" }] },
      { signature: "dGhvdWdodA==", summary: [{ type: "text", text: "Hm." }], type: "thought" },
      { type: "model_output", content: [{ type: "text", text: "In one piece." }] },
      { id: "call-a", type: "function_call", name: "clock", arguments: {} },
    ],
  }),
};
