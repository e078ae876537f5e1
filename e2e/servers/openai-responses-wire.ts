import type { Answer } from "./openai-reply.ts";
import { tokensOf, torn, words } from "./openai-chat-wire.ts";

interface Wire {
  type: string;
}

function outputOf(id: string, answer: Answer): object[] {
  const reasoning = answer.reasoning
    ? [
        {
          id: `rs_${id}`,
          type: "reasoning",
          summary: [{ type: "summary_text", text: answer.reasoning }],
          encrypted_content: `encrypted-${id}`,
        },
      ]
    : [];
  const content = answer.refusal
    ? [{ type: "refusal", refusal: answer.refusal }]
    : [{ type: "output_text", text: answer.text, annotations: [], logprobs: [] }];
  const message =
    answer.text || answer.refusal
      ? [{ id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content }]
      : [];
  const calls = answer.calls.map((call, index) => ({
    id: `fc_${id}_${index}`,
    type: "function_call",
    status: "completed",
    call_id: `call_${id}_${index}`,
    name: call.name,
    arguments: call.arguments,
  }));
  return [...reasoning, ...message, ...calls];
}

/** A Responses API answer in one piece. */
export function wholeResponse(id: string, model: string, prompt: string, answer: Answer): object {
  const reason = { stop: null, length: "max_output_tokens", content_filter: "content_filter" }[answer.finish];
  const output = tokensOf(answer.text + answer.refusal + answer.calls.map((call) => call.arguments).join(""));
  const reasoning = tokensOf(answer.reasoning);
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: 1_700_000_000,
    status: reason === null ? "completed" : "incomplete",
    error: null,
    incomplete_details: reason === null ? null : { reason },
    model,
    output: outputOf(id, answer),
    usage: {
      input_tokens: tokensOf(prompt),
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output + reasoning,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: tokensOf(prompt) + output + reasoning,
    },
  };
}

/** The events of a streamed Responses API answer, numbered. */
export function responseEvents(id: string, model: string, prompt: string, answer: Answer): Wire[] {
  const whole = wholeResponse(id, model, prompt, answer);
  const events: Wire[] = [];
  const add = (type: string, fields: object) => {
    events.push(Object.assign({ type, sequence_number: events.length }, fields));
  };
  add("response.created", { response: { ...whole, status: "in_progress", output: [] } });
  for (const [index, item] of outputOf(id, answer).entries()) {
    add("response.output_item.added", { output_index: index, item });
    const place = { output_index: index, item_id: "id" in item ? item.id : "" };
    if ("summary" in item) {
      for (const piece of words(answer.reasoning)) {
        add("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta: piece });
      }
    } else if ("arguments" in item) {
      for (const piece of torn(String(item.arguments))) {
        add("response.function_call_arguments.delta", { ...place, delta: piece });
      }
      add("response.function_call_arguments.done", { ...place, arguments: item.arguments });
    } else {
      const kind = answer.refusal ? "response.refusal.delta" : "response.output_text.delta";
      for (const piece of words(answer.refusal || answer.text)) add(kind, { ...place, content_index: 0, delta: piece });
    }
    add("response.output_item.done", { output_index: index, item });
  }
  add(answer.finish === "stop" ? "response.completed" : "response.incomplete", { response: whole });
  return events;
}
