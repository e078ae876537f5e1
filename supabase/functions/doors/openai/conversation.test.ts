import { expect, it, test } from "vitest";
import { chatRequest } from "./chat-completions.ts";
import { turnOf } from "./conversation.ts";
import { responsesRequest } from "./responses.ts";

function chatTurn(messages: unknown[], hasSession = false) {
  return turnOf(chatRequest.parse({ model: "answers", messages }).messages, hasSession)?.message;
}

/** A conversation with tools as LibreChat's agents send it, system message and numbered ids as there. */
const agentHistory = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "What is the weather in Ghent?" }] },
  {
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "call_0", type: "function", function: { name: "weather", arguments: '{"city":"Ghent"}' }, index: 0 },
    ],
  },
  { role: "tool", tool_call_id: "call_0", name: "weather", content: "12 degrees" },
  { role: "assistant", content: "It is 12 degrees." },
  { role: "user", content: "And tomorrow?" },
];

test("a history with tool turns is told as what was done", () => {
  expect(chatTurn(agentHistory)).toBe(
    [
      "The conversation so far:",
      "Instructions: Be brief.",
      "User: What is the weather in Ghent?",
      'Assistant: (called the tool weather with {"city":"Ghent"})',
      "Result of the tool: 12 degrees",
      "Assistant: It is 12 degrees.",
      "The user now says:",
      "And tomorrow?",
    ].join("\n\n"),
  );
  expect(chatTurn(agentHistory, true)).toBe("And tomorrow?");
});

test("a client that called its own tool goes on with the question", () => {
  expect(chatTurn(agentHistory.slice(1, 4), true)).toBe(
    [
      "What is the weather in Ghent?",
      "Done for this since:",
      'Assistant: (called the tool weather with {"city":"Ghent"})',
      "Result of the tool: 12 degrees",
    ].join("\n\n"),
  );
});

test("in a session a tool's result alone goes on with it", () => {
  const result = { role: "tool", tool_call_id: "a", content: "12 degrees" };
  expect(chatTurn([result], true)).toBe("Result of the tool: 12 degrees");
  expect(chatTurn([result])).toBeUndefined();
});

/** As Open WebUI sends it: settings of its own beside the messages, an empty answer that was stopped, null where nothing is set. */
it("takes what Open WebUI sends", () => {
  const parsed = chatRequest.parse({
    stream: true,
    model: "answers",
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "" },
      { role: "user", content: "Hello?" },
    ],
    stream_options: { include_usage: true },
    user: null,
    response_format: null,
    n: null,
    features: { web_search: false },
    variables: { "{{USER_NAME}}": "Ada" },
    chat_id: "8b3f",
    background_tasks: { title_generation: true },
  });
  expect(turnOf(parsed.messages, false)?.message).toBe(
    "The conversation so far:\n\nUser: Hello\n\nThe user now says:\n\nHello?",
  );
});

it.each([
  ["parts of text in a tool's result", { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "12" }] }],
  [
    "a call without content",
    { role: "assistant", tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] },
  ],
  ["a refusal", { role: "assistant", content: null, refusal: "I cannot do that." }],
  [
    "a custom tool's call",
    { role: "assistant", content: null, tool_calls: [{ type: "custom", custom: { name: "f", input: "x" } }] },
  ],
  ["an older function's call", { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } }],
  ["a part that refuses", { role: "assistant", content: [{ type: "refusal", refusal: "No." }] }],
  ["an older function's result", { role: "function", name: "f", content: "12" }],
])("takes %s", (_what, message) => {
  expect(chatTurn([{ role: "user", content: "One" }, message, { role: "user", content: "Two" }])).toMatch(
    /One[^]*Two$/,
  );
});

it.each([
  { type: "custom_tool_call", call_id: "c", name: "run", input: "ls" },
  { type: "custom_tool_call_output", call_id: "c", output: "" },
  { type: "web_search_call", id: "ws", status: "completed", action: { type: "search", query: "x" } },
  { type: "mcp_call", id: "m", name: "x", arguments: "{}", server_label: "s" },
])("takes an item of the type $type of Responses", (item) => {
  const { input } = responsesRequest.parse({ model: "answers", input: [item, { role: "user", content: "Go on" }] });
  expect(turnOf(input, false)?.message).toContain("Go on");
});

it.each([
  [{ type: "item_reference", id: "msg_1" }, /"item_reference" is not taken/],
  [{ role: "narrator", content: "Once" }, /"narrator" is not taken/],
  [null, /not taken/],
])("refuses the item %j by its kind", (item, words) => {
  const { error } = responsesRequest.safeParse({ model: "answers", input: [{ role: "user", content: "Hi" }, item] });
  expect(error?.issues[0]).toMatchObject({ path: ["input", 1], message: expect.stringMatching(words) });
});

test("items of Responses are told in the same way", () => {
  const { input } = responsesRequest.parse({
    model: "answers",
    input: [
      { role: "user", content: "What is the weather?" },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", call_id: "c", name: "weather", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "12 degrees" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Thanks. And the wind?" }] },
    ],
  });
  expect(turnOf(input, false)?.message).toContain(
    "(called the tool weather with {})\n\nResult of the tool: 12 degrees",
  );
});

it.each([
  ["an answer that ends the conversation", [{ role: "assistant", content: "Hi" }]],
  ["a result without a question", [{ role: "tool", tool_call_id: "a", content: "12" }]],
  ["an empty question", [{ role: "user", content: " " }]],
])("has no turn for %s", (_what, messages) => {
  expect(chatTurn(messages)).toBeUndefined();
});

it.each([
  [{ n: 2 }, /one answer/],
  [{ modalities: ["text", "audio"] }, /answers with text/],
])("refuses %j in words", (more, words) => {
  const { error } = chatRequest.safeParse({ model: "answers", messages: [{ role: "user", content: "Hi" }], ...more });
  expect(error?.issues[0]?.message).toMatch(words);
});
