import type { Json } from "../json.ts";
import type { ModelRequest } from "../model/chat-model.ts";
import type { Message } from "../model/message.ts";
import { vendorOf } from "../vendors/index.ts";

/** What vendors put around a request and around each of its messages. */
const aroundRequest = 16;
const aroundMessage = 8;

/** Tokens of a picture where the vendor's record says nothing else; the largest that vendors document is some 4,800. */
const perImage = 6_000;

/**
 * Tokens of a file: one for each character of its `data:` URL, which is many times what a page or a second takes. A short PDF
 * may have many pages, and no model reads more than about a million tokens.
 */
const minFileTokens = 100_000;
const maxFileTokens = 1_000_000;

/** What of a request counts as its input. */
export type ModelInput = Pick<ModelRequest, "messages" | "tools" | "responseFormat">;

/** An earlier request to the same model, and how many tokens the vendor counted in its input. */
export interface MeasuredInput extends Pick<ModelInput, "messages" | "tools"> {
  tokens: number;
}

/**
 * A number of tokens that the input of a call does not exceed, for bookings: every byte of its text counts as a token, since the
 * vendors' tokenizers make no more of it. Some four times what English has; what a call has really taken is settled afterwards.
 * A request that goes on with an earlier one counts for what the vendor made of that, and for what is new.
 */
export function maxInputTokens(
  { messages, tools, responseFormat }: ModelInput,
  { provider, modelId }: { provider: string; modelId: string },
  measured?: MeasuredInput,
): number {
  const vendor = vendorOf(provider);
  const image = vendor?.imageTokens?.find(([start]) => modelId.startsWith(start))?.[1] ?? perImage;
  const tokensOf = (some: readonly Message[]) =>
    some.reduce((sum, message) => sum + aroundMessage + messageTokens(message, image), aroundRequest);
  const schema = responseFormat.type === "json" ? responseFormat.schema : undefined;
  const format = schema ? bytesOf(JSON.stringify(schema)) : 0;
  const described = tools.length === 0 ? 0 : (vendor?.toolsTokens ?? 0) + bytesOf(JSON.stringify(tools));
  const whole = tokensOf(messages) + format + described;
  if (!measured || !goesOnWith(measured, messages, tools)) return whole;
  return Math.min(whole, measured.tokens + tokensOf(messages.slice(measured.messages.length)) + format);
}

/** Whether a request begins with all that an earlier one had. */
function goesOnWith(measured: MeasuredInput, messages: readonly Message[], tools: ModelInput["tools"]): boolean {
  return (
    measured.tools.length === tools.length &&
    measured.tools.every((tool, index) => tool === tools[index]) &&
    measured.messages.length <= messages.length &&
    measured.messages.every((message, index) => isSame(message, messages[index]))
  );
}

/** Instructions are put together anew for each request; other messages stay the same ones. */
function isSame(one: Message, other: Message | undefined): boolean {
  return one === other || (one.role === "system" && other?.role === "system" && one.text === other.text);
}

/** The same for texts that become vectors. */
export function maxEmbeddingTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + aroundMessage + bytesOf(text), 0);
}

function messageTokens(message: Message, image: number): number {
  if (message.role === "system") return bytesOf(message.text);
  if (message.role === "tool") return bytesOf(message.text) + (message.images?.length ?? 0) * image;
  let tokens = 0;
  for (const part of message.parts) {
    switch (part.type) {
      case "text":
      case "reasoning":
        tokens += bytesOf(part.text) + vendorTokens(part.vendor);
        break;
      case "image":
      case "made-file":
        tokens += image;
        break;
      case "file":
        tokens += Math.min(maxFileTokens, Math.max(minFileTokens, part.url.length));
        break;
      case "tool-call":
        tokens += aroundMessage + bytesOf(part.toolName) + bytesOf(part.arguments) + vendorTokens(part.vendor);
        break;
      default:
        part satisfies never;
    }
  }
  return tokens;
}

/** What goes back to the vendor as it came, such as encrypted thoughts. */
function vendorTokens(vendor: Json | undefined): number {
  return vendor === undefined ? 0 : bytesOf(JSON.stringify(vendor));
}

const encoder = new TextEncoder();

/** Bytes in UTF-8. */
function bytesOf(text: string): number {
  return encoder.encode(text).length;
}
