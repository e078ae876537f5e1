import type { Answer } from "./openai-reply.ts";

const created = 1_700_000_000;

/** Tokens of a text, guessed at four characters each: enough to see them counted. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Words with their spaces, as a model streams them. */
export function words(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
}

/** Three uneven pieces, so that keys and escapes are torn apart. */
export function torn(text: string): string[] {
  const first = Math.ceil(text.length / 3);
  const second = Math.ceil((text.length * 2) / 3);
  return [text.slice(0, first), text.slice(first, second), text.slice(second)].filter((piece) => piece !== "");
}

function usage(prompt: string, answer: Answer) {
  const input = tokensOf(prompt);
  const reasoning = tokensOf(answer.reasoning);
  const output =
    tokensOf(answer.text + answer.refusal + answer.calls.map((call) => call.arguments).join("")) + reasoning;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

function finishOf(answer: Answer): string {
  return answer.finish !== "stop" ? answer.finish : answer.calls.length > 0 ? "tool_calls" : "stop";
}

/** The chunks of a streamed Chat Completions answer; the last one, with the usage, only when it was asked for. */
export function chatChunks(id: string, model: string, prompt: string, answer: Answer, includeUsage: boolean): object[] {
  const chunk = (delta: object, finish: string | null = null) => ({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    system_fingerprint: "fp_loopback",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const calls = answer.calls.flatMap((call, index) => [
    chunk({
      tool_calls: [
        { index, id: `call_${id}_${index}`, type: "function", function: { name: call.name, arguments: "" } },
      ],
    }),
    ...torn(call.arguments).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  return [
    chunk({ role: "assistant", content: answer.calls.length > 0 ? null : "", refusal: null }),
    ...words(answer.reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...words(answer.text).map((piece) => chunk({ content: piece })),
    ...words(answer.refusal).map((piece) => chunk({ refusal: piece })),
    ...calls,
    { ...chunk({}, finishOf(answer)), ...(answer.pages.length > 0 ? { search_results: answer.pages } : {}) },
    ...(includeUsage
      ? [{ id, object: "chat.completion.chunk", created, model, choices: [], usage: usage(prompt, answer) }]
      : []),
  ];
}

/** The same answer in one piece. */
export function chatCompletion(id: string, model: string, prompt: string, answer: Answer): object {
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text === "" ? null : answer.text,
          refusal: answer.refusal === "" ? null : answer.refusal,
          ...(answer.reasoning !== "" ? { reasoning_content: answer.reasoning } : {}),
          ...(answer.calls.length > 0
            ? {
                tool_calls: answer.calls.map((call, index) => ({
                  id: `call_${id}_${index}`,
                  type: "function",
                  function: { name: call.name, arguments: call.arguments },
                })),
              }
            : {}),
        },
        logprobs: null,
        finish_reason: finishOf(answer),
      },
    ],
    usage: usage(prompt, answer),
  };
}
