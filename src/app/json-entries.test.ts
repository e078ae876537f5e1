import type { FileValue } from "../engine/file/file.ts";
import { describe, expect, it } from "vitest";
import { readInput, readVariables } from "../../cli/headless/read-file.ts";
import { parseJson as parseOthersJson } from "../../supabase/functions/_shared/json-scan.ts";
import { readHookBody } from "../../supabase/functions/doors/hooks/read-hook-body.ts";
import { decodeValue } from "../../supabase/functions/sql-tool/decode-value.ts";
import { parseArguments } from "../engine/agent/tool-call/tool-call.ts";
import { readCaseLines, readCaseList, readCaseTable } from "../evaluation/suite/evaluation-case.ts";
import { readConfig } from "../evaluation/import/read-config.ts";
import { readText } from "../import/read-text.ts";
import type { JsonSchema } from "../engine/json.ts";
import { isJsonObject } from "../engine/json.ts";
import { schemaCheck } from "../engine/json-schema/schema-check.ts";
import type { ChatModel } from "../engine/model/chat-model.ts";
import { toolCalls } from "../engine/model/message.ts";
import { compileExpression } from "../engine/template/expression.ts";
import { recordScope } from "../engine/template/scope.ts";
import { testHost } from "../engine/testing/test-host.ts";
import { readVariable } from "../features/editor/variable-text.ts";
import { readWorkflowFile } from "../features/library/import/read-workflow-file.ts";
import { readSessionFile } from "../features/memory/session-file.ts";
import { typedInput } from "../features/server-runs/server-start.ts";
import { jsonFrom } from "../forms/json-control.tsx";
import { readTypedJson } from "../forms/read-typed-json.ts";
import { jsonSections, readJson as readJsonDocument } from "../documents/read/read-json.ts";
import { sendRequest } from "../nodes/http/send-request.ts";
import { anthropicProvider } from "../providers/anthropic.ts";
import { geminiProvider } from "../providers/gemini.ts";
import { openaiProvider } from "../providers/openai.ts";
import { collect } from "../providers/testing/replay.ts";

/** What a text from outside is, and what stands for it where it comes in. */
const values: [literal: string, value: unknown][] = [
  ["7615917337495251231", "7615917337495251231"],
  ["-7615917337495251299", "-7615917337495251299"],
  ["-9223372036854775808", "-9223372036854775808"],
  ["9007199254740991", 9_007_199_254_740_991],
  ["9007199254740992", "9007199254740992"],
  ["9007199254740993", "9007199254740993"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["0.1234567890123456789", 0.123_456_789_012_345_68],
  ['[7615917337495251231, {"inner": 7615917337495251231}]', ["7615917337495251231", { inner: "7615917337495251231" }]],
  ['{"7615917337495251231": 1}', { "7615917337495251231": 1 }],
];

const context = (body: string) => ({
  host: testHost({
    fetch: () =>
      Promise.resolve(
        new Response(body, {
          headers: { "content-type": body.startsWith("data:") ? "text/event-stream" : "application/json" },
        }),
      ),
  }),
  credential: "credential-1",
  nodeId: "model",
});

async function calledWith(model: ChatModel): Promise<unknown> {
  const last = (await collect(model)).at(-1);
  if (last?.type !== "finish") throw new Error(`The call did not finish: ${JSON.stringify(last)}`);
  const [call] = toolCalls(last.message);
  const schema: JsonSchema = {};
  const read = await parseArguments(call?.arguments ?? "", (value) => Promise.resolve(schemaCheck(schema)(value)));
  return isJsonObject(read.input) ? read.input["id"] : read.input;
}

const data = (...events: string[]) => events.map((event) => `data: ${event}\n\n`).join("");
const quoted = (literal: string) => JSON.stringify(`{"id": ${literal}}`);

const openai = (body: string, api: "chat" | "responses", streaming: boolean) =>
  openaiProvider.create({ ...openaiProvider.config.parse({ api, streaming }), model: "gpt-5-mini" }, context(body));
const anthropic = (body: string, streaming: boolean) =>
  anthropicProvider.create(
    { ...anthropicProvider.config.parse({ streaming }), model: "claude-sonnet-4-5" },
    context(body),
  );
const gemini = (body: string, api: "generate-content" | "interactions", streaming: boolean) =>
  geminiProvider.create(
    { ...geminiProvider.config.parse({ api, streaming }), model: "gemini-3-pro-preview" },
    context(body),
  );

const chatCall = (literal: string) =>
  `[{"index": 0, "id": "c1", "type": "function", "function": {"name": "get", "arguments": ${quoted(literal)}}}]`;
const geminiPart = (literal: string) =>
  `{"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "get", "args": {"id": ${literal}}}}]}, "finishReason": "STOP"}]}`;
const usage = '"usage": {"input_tokens": 1, "output_tokens": 1}';

const session = (literal: string) =>
  `{"format": "switchyard-session", "version": 1, "sessionId": "s", "messages": [{"role": "assistant", "parts": [{"type": "reasoning", "text": "", "vendor": {"id": ${literal}}}]}]}`;

function metadataOf(value: unknown): unknown {
  return isJsonObject(value) ? value["id"] : value;
}

/** Every way in: the value that stands under `id` in a text from outside. */
const entries: Record<string, (literal: string) => unknown> = {
  "the body of a webhook": async (literal) =>
    metadataOf(await readHookBody(new TextEncoder().encode(`{"id": ${literal}}`), "application/json")),
  "what functions read": (literal) => metadataOf(parseOthersJson(`{"id": ${literal}}`)),
  "a json column of Postgres": (literal) => metadataOf(decodeValue(`{"id": ${literal}}`, 114)),
  "a jsonb column of Postgres": (literal) => metadataOf(decodeValue(`{"id": ${literal}}`, 3802)),
  "the answer of an HTTP request": async (literal) => {
    const host = testHost({
      functions: {
        "execute-http": () => ({
          ok: true,
          body: { statusCode: 200, headers: { "content-type": "application/json" }, body: `{"id": ${literal}}` },
        }),
      },
    });
    const files = { add: (file: FileValue) => file };
    const sender = { host, files, signal: new AbortController().signal, log: () => {} };
    const result = await sendRequest(sender, { method: "GET", url: "https://example.com" });
    return result.ok ? metadataOf(result.answer.body) : result.error;
  },
  "a tool call of OpenAI's Chat Completions": (literal) =>
    calledWith(
      openai(
        `{"choices": [{"index": 0, "message": {"role": "assistant", "content": null, "tool_calls": ${chatCall(literal)}}, "finish_reason": "tool_calls"}]}`,
        "chat",
        false,
      ),
    ),
  "a streamed tool call of OpenAI's Chat Completions": (literal) =>
    calledWith(
      openai(
        data(
          `{"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": ${chatCall(literal)}}, "finish_reason": null}]}`,
          '{"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}',
          "[DONE]",
        ),
        "chat",
        true,
      ),
    ),
  "a tool call of OpenAI's Responses": (literal) =>
    calledWith(
      openai(
        `{"id": "r", "object": "response", "status": "completed", "output": [{"type": "function_call", "id": "f", "call_id": "c1", "name": "get", "arguments": ${quoted(literal)}, "status": "completed"}], ${usage}}`,
        "responses",
        false,
      ),
    ),
  "a tool call of Anthropic": (literal) =>
    calledWith(
      anthropic(
        `{"type": "message", "role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "get", "input": {"id": ${literal}}}], "stop_reason": "tool_use", ${usage}}`,
        false,
      ),
    ),
  "a streamed tool call of Anthropic": (literal) =>
    calledWith(
      anthropic(
        data(
          `{"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [], ${usage}}}`,
          '{"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "c1", "name": "get", "input": {}}}',
          `{"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ${quoted(literal)}}}`,
          '{"type": "content_block_stop", "index": 0}',
          '{"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}}',
          '{"type": "message_stop"}',
        ),
        true,
      ),
    ),
  "a tool call of Gemini": (literal) => calledWith(gemini(geminiPart(literal), "generate-content", false)),
  "a streamed tool call of Gemini": (literal) =>
    calledWith(gemini(data(geminiPart(literal)), "generate-content", true)),
  "a tool call of Gemini's interactions": (literal) =>
    calledWith(
      gemini(
        `{"id": "i", "object": "interaction", "status": "requires_action", "steps": [{"type": "function_call", "id": "c1", "name": "get", "arguments": {"id": ${literal}}}]}`,
        "interactions",
        false,
      ),
    ),
  "a list of test cases": (literal) => {
    const read = readCaseList(`[{"id": "a", "input": {"id": ${literal}}}]`);
    return read.ok ? metadataOf(read.cases[0]?.input) : read.problems;
  },
  "test cases by line": (literal) => {
    const read = readCaseLines(`{"id": "a", "input": {"id": ${literal}}}`);
    return read.ok ? metadataOf(read.cases[0]?.input) : read.problems;
  },
  "a cell of a table of test cases": (literal) => {
    const read = readCaseTable([
      ["id", "input"],
      ["a", `{"id": ${literal}}`],
    ]);
    return read.ok ? metadataOf(read.cases[0]?.input) : read.problems;
  },
  "a config of another tool in YAML": (literal) => {
    const text = `prompts: ["{{order}}"]\nproviders: [a]\ntests:\n  - vars:\n      order: [${literal}]\n`;
    const read = readConfig({ name: "promptfooconfig.yaml", text });
    if (!read.ok) return read.problem;
    return idIn(read.imported, "order");
  },
  "an import in JSON": (literal) => {
    const read = readText(`{"id": ${literal}}`);
    return read.ok ? metadataOf(read.value) : read.problem;
  },
  "an import in YAML": (literal) => {
    const read = readText(`version: 1\nid: ${literal}\n`);
    return read.ok ? metadataOf(read.value) : read.problem;
  },
  "a workflow file": (literal) => {
    const start = `{"id": "start", "type": "manual-trigger", "version": 1, "title": "Start", "position": {"x": 0, "y": 0}, "config": {"input": {"id": ${literal}}}}`;
    const read = readWorkflowFile(
      `{"schemaVersion": 1, "id": "w", "name": "W", "nodes": {"start": ${start}}, "edges": {}}`,
      () => "w",
    );
    return read.ok ? idIn(read.document.nodes["start"]?.config ?? null) : read.problems;
  },
  "an exported conversation": (literal) => {
    const read = readSessionFile(session(literal));
    return read.ok ? idIn(read.file.messages) : read.problem;
  },
  "a typed input of a server run": (literal) => metadataOf(typedInput("input", `{"id": ${literal}}`, "s")),
  "typed JSON": (literal) => {
    const read = readTypedJson(`{"id": ${literal}}`);
    return read.ok ? metadataOf(read.value) : read.problem;
  },
  "a JSON field of the inspector": (literal) => metadataOf(jsonFrom(`{"id": ${literal}}`)),
  "a typed variable": (literal) => readVariable(literal),
  "--input of a command": async (literal) => metadataOf(await readInput(`{"id": ${literal}}`)),
  "--vars of a command": async (literal) => (await readVariables(`{"id": ${literal}}`))["id"],
  "parseJson of an expression": (literal) =>
    compileExpression("parseJson(json.text)").evaluate(recordScope({ json: { text: literal }, now: new Date(0) })),
};

/** What stands under the first key of this name. */
function idIn(value: unknown, name = "id"): unknown {
  if (isJsonObject(value) && Object.hasOwn(value, name)) return value[name];
  const parts = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return parts.map((part) => idIn(part, name)).find((one) => one !== undefined);
}

describe.each(Object.entries(entries))("%s", (_title, read) => {
  it.each(values)("keeps the digits of %s", async (literal, value) => {
    expect(await read(literal)).toEqual(value);
  });
});

it("a JSON document of a collection keeps the digits of its numbers", () => {
  expect(jsonSections(readJsonDocument('[{"id": 7615917337495251231}]'))[0]?.text).toBe("id: 7615917337495251231");
});
