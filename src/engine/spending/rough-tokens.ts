import type { Message } from "../model/message.ts";
import type { ModelInput } from "./input-tokens.ts";

/** Characters of scripts whose signs are mostly a token each: Chinese, Japanese, Korean, Thai and their neighbours. */
const dense = /[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;

/**
 * About how many tokens the texts of a request have, to be held against what a model takes: four characters a token, one of the dense
 * scripts. Pictures and files are not counted. 0 where the request is surely below `limit`.
 */
export function roughTokensAbove(limit: number, { messages, tools }: Pick<ModelInput, "messages" | "tools">): number {
  // Before every call: nothing is put together for the many requests that are far below.
  const described = tools.length === 0 ? "" : JSON.stringify(tools);
  let characters = described.length;
  for (const message of messages) for (const text of textsOf(message)) characters += text.length;
  if (characters <= limit) return 0;
  let signs = 0;
  for (const text of [described, ...messages.flatMap(textsOf)]) signs += text.match(dense)?.length ?? 0;
  const tokens = Math.ceil((characters - signs) / 4) + signs;
  return tokens > limit ? tokens : 0;
}

function textsOf(message: Message): string[] {
  if (message.role === "system" || message.role === "tool") return [message.text];
  return message.parts.flatMap((part) => {
    if (part.type === "text" || part.type === "reasoning") return [part.text];
    return part.type === "tool-call" ? [part.arguments] : [];
  });
}
