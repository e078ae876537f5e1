import type { Message } from "./message.ts";

/** Scripts whose characters are about a token each: Chinese, Japanese, Korean, Thai. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** What vendors add around a message for its role (OpenAI cookbook, "How to count tokens with tiktoken"). */
const perMessage = 4;
/** A picture at usual detail; vendors count between 85 and some 1,600. */
const perImage = 800;
/** Characters of a file's `data:` URL per token: a page of a PDF is some 60 kB and 2,000 tokens. */
const fileCharsPerToken = 40;

/**
 * About how many tokens a text has: four characters each, one each in dense scripts. Vendors count with tables of their
 * own, so this is a measure to compare with, not a bill.
 */
export function estimateTokens(text: string): number {
  const whole = text.match(dense)?.length ?? 0;
  return Math.ceil(whole + (text.length - whole) / 4);
}

/** About how many tokens a message has as part of a request. */
export function estimateMessageTokens(message: Message): number {
  if (message.role === "system") return perMessage + estimateTokens(message.text);
  if (message.role === "tool")
    return perMessage + estimateTokens(message.text) + (message.images?.length ?? 0) * perImage;
  let tokens = perMessage;
  for (const part of message.parts) {
    switch (part.type) {
      case "text":
      case "reasoning":
        tokens += estimateTokens(part.text);
        break;
      case "image":
      case "made-file":
        tokens += perImage;
        break;
      case "file":
        tokens += Math.ceil(part.url.length / fileCharsPerToken);
        break;
      case "tool-call":
        tokens += estimateTokens(part.toolName) + estimateTokens(part.arguments);
        break;
      default:
        part satisfies never;
    }
  }
  return tokens;
}
