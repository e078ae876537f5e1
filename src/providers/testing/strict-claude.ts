import { z } from "zod/mini";
import { canonicalJson } from "../../engine/canonical-json.ts";
import type { Json } from "../../engine/json.ts";
import { testHost, type TestHost } from "../../engine/testing/test-host.ts";
import { namedEvents } from "./sse.ts";

const block = z.looseObject({ type: z.string(), signature: z.optional(z.string()) });

const request = z.looseObject({
  model: z.string(),
  system: z._default(z.json(), null),
  tools: z._default(z.json(), []),
  tool_choice: z._default(z.object({ type: z.string() }), { type: "auto" }),
  messages: z.array(z.object({ role: z.string(), content: z.array(block) })),
});

/** A request as the server understood it. */
export type ClaudeRequest = z.infer<typeof request>;

/** What the server answers: words, or a call of a tool. */
export type ClaudeAnswer = { text: string } | { call: string; input: Json };

/**
 * A Messages API that thinks before each answer and refuses a thinking block whose system prompt, tools or earlier
 * messages are not those that it was made with (after "Prefix checks on thinking blocks").
 */
export function strictClaude(answer: (request: ClaudeRequest, index: number) => ClaudeAnswer): {
  host: TestHost;
  requests: ClaudeRequest[];
  refused: string[];
} {
  const requests: ClaudeRequest[] = [];
  const refused: string[] = [];
  const host = testHost({
    async fetch(_connection, _input, init) {
      const asked = request.parse(JSON.parse(String(init?.body), withoutCacheMarks));
      const bound = changedBlock(asked);
      if (bound !== undefined) {
        refused.push(bound);
        return refusal(bound);
      }
      requests.push(asked);
      return streamed(answer(asked, requests.length - 1), asked, requests.length);
    },
  });
  return { host, requests, refused };
}

function withoutCacheMarks(key: string, value: unknown): unknown {
  return key === "cache_control" ? undefined : value;
}

/** Stands for the vendor's signature: all that came before. */
function sign({ model, system, tools, messages }: ClaudeRequest): string {
  let sum = 0;
  for (const letter of canonicalJson(z.json().parse([model, system, tools, messages])))
    sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 2 ** 40;
  return `sig-${sum}`;
}

/** The place of the first thinking block that something before it no longer fits. */
function changedBlock(asked: ClaudeRequest): string | undefined {
  for (const [at, { role, content }] of asked.messages.entries()) {
    for (const [place, { type, signature }] of content.entries()) {
      if (type !== "thinking") continue;
      const before = [
        ...asked.messages.slice(0, at),
        ...(place > 0 ? [{ role, content: content.slice(0, place) }] : []),
      ];
      if (sign({ ...asked, messages: before }) !== signature) return `messages.${at}.content.${place}`;
    }
  }
  return undefined;
}

function refusal(place: string): Response {
  const message = `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`;
  const body = { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" };
  return Response.json(body, { status: 400 });
}

function streamed(answer: ClaudeAnswer, asked: ClaudeRequest, count: number): Response {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: `msg_${count}`, type: "message", role: "assistant", model: asked.model, content: [], usage };
  const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
  const delta = (index: number, piece: object) => ({ type: "content_block_delta", index, delta: piece });
  const called = "call" in answer;
  const events = namedEvents(
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    start(0, { type: "thinking", thinking: "", signature: "" }),
    delta(0, { type: "thinking_delta", thinking: "Hm." }),
    delta(0, { type: "signature_delta", signature: sign(asked) }),
    { type: "content_block_stop", index: 0 },
    called
      ? start(1, { type: "tool_use", id: `toolu_${count}`, name: answer.call, input: {} })
      : start(1, { type: "text", text: "" }),
    called
      ? delta(1, { type: "input_json_delta", partial_json: JSON.stringify(answer.input) })
      : delta(1, { type: "text_delta", text: answer.text }),
    { type: "content_block_stop", index: 1 },
    {
      type: "message_delta",
      delta: { stop_reason: called ? "tool_use" : "end_turn", stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  );
  return new Response(events, { headers: { "content-type": "text/event-stream" } });
}
