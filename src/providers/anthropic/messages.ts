import type {
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { z } from "zod/mini";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { readDataUrl } from "../../engine/model/data-url.ts";
import type { AssistantMessage, Message, ReasoningPart, ToolMessage, UserMessage } from "../../engine/model/message.ts";
import { fileData } from "../../engine/model/attachments.ts";
import { leftOutFile } from "../wire/left-out-file.ts";
import { argumentsObject } from "../wire/tool-arguments.ts";

/** What a thinking block's `vendor` holds: what the vendor wants back, and the model that it belongs to. */
interface ThinkingVendor {
  type: "thinking" | "redacted_thinking";
  /** Signature of a thinking block, data of a redacted one. */
  proof: string;
  model: string;
}

/** Where an answer comes from, kept with its thinking. */
export interface ThinkingOrigin {
  model: string;
  /** What the request said after the conversation. The signature covers it, so it stays where it was. */
  closing: readonly string[];
}

/** The `vendor` of a block that only the vendor knows, such as its own search, kept to go on with a paused turn. */
const vendorBlock = z.object({ type: z.literal("block"), block: z.record(z.string(), z.json()), model: z.string() });

/** Everything that one side said in a row. */
export interface Turn {
  role: "user" | "assistant";
  content: ContentBlockParam[];
}

/** A conversation as a Messages body has it. */
interface AnthropicConversation {
  system: string;
  messages: Turn[];
  /** What was added at the end. */
  closing: string[];
}

/**
 * The conversation as the Messages API wants it: instructions apart, user and assistant in turn, tool results first in
 * the user's turn, no empty text. Thinking goes back with its signature only to the model that thought it and only
 * within the current turn, since its signature covers the very conversation before it ("Prefix checks on thinking blocks"):
 * `instructions` for this request alone therefore stand at the end, and those of earlier requests where they stood.
 */
export function toAnthropicMessages(
  messages: Message[],
  model: string,
  instructions: readonly string[] = [],
): AnthropicConversation {
  const body = messages.slice(leadingInstructions(messages));
  const system = messages
    .slice(0, messages.length - body.length)
    .flatMap((message) => (message.role === "system" ? [message.text] : []))
    .filter((text) => text.trim() !== "")
    .join("\n\n");
  const current = turnStart(body);
  const turns: Turn[] = [];
  for (const [index, message] of body.entries()) {
    if (index >= current) add(turns, { role: "user", content: closingBefore(message, model).flatMap(texts) });
    add(turns, toTurn(message, model, index >= current));
  }
  // The API answers a user; a conversation that begins or ends otherwise gets one.
  if (turns[0]?.role !== "user")
    turns.unshift({ role: "user", content: [{ type: "text", text: "(The conversation starts here.)" }] });
  if (isPaused(messages, model)) return { system, messages: turns, closing: [] };
  const closing = [...(turns.at(-1)?.role === "user" ? [] : ["Continue."]), ...instructions];
  add(turns, { role: "user", content: closing.flatMap(texts) });
  return { system, messages: turns, closing };
}

/** Adds what one side said next. */
function add(turns: Turn[], turn: Turn): void {
  if (turn.content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === turn.role) last.content.push(...turn.content);
  else turns.push(turn);
}

const closingVendor = z.object({ model: z.string(), closing: z.array(z.string()) });

/** What stood at the end of the request that a message answers, where its thinking goes back. */
function closingBefore(message: Message, model: string): string[] {
  if (message.role !== "assistant") return [];
  for (const part of message.parts) {
    const { data } = closingVendor.safeParse(part.type === "reasoning" ? part.vendor : undefined);
    if (data?.model === model) return data.closing;
  }
  return [];
}

/** The same without any thinking, which the vendor takes wherever it came from. */
export function withoutThinking(turns: readonly Turn[]): Turn[] {
  return turns.flatMap(({ role, content }) => {
    const kept = content.filter(({ type }) => type !== "thinking" && type !== "redacted_thinking");
    return kept.length > 0 ? [{ role, content: kept }] : [];
  });
}

/** A turn that the vendor paused in the middle of its own work goes back as it is: nothing was said after that work. */
function isPaused(messages: Message[], model: string): boolean {
  const last = messages.at(-1);
  return last?.role === "assistant" && toVendorBlock(last.parts.at(-1)?.vendor, model).length > 0;
}

function leadingInstructions(messages: Message[]): number {
  const first = messages.findIndex((message) => message.role !== "system");
  return first === -1 ? messages.length : first;
}

/** Where the current turn begins: the last user message that does not stand among tool results or right after them. */
function turnStart(messages: Message[]): number {
  return messages.findLastIndex(({ role }, index) => {
    if (role !== "user") return false;
    const before = messages.slice(0, index).findLast((message) => message.role !== "user");
    return before?.role !== "tool";
  });
}

function toTurn(message: Message, model: string, current: boolean): Turn {
  switch (message.role) {
    case "system":
      return { role: "user", content: texts(message.text) };
    case "user":
      return { role: "user", content: message.parts.flatMap(toUserBlocks) };
    case "assistant":
      return { role: "assistant", content: message.parts.flatMap((part) => toAssistantBlocks(part, model, current)) };
    case "tool": {
      const result: ToolResultBlockParam = {
        type: "tool_result",
        tool_use_id: callId(message.callId),
        ...resultContent(message),
        ...(message.ok ? {} : { is_error: true }),
      };
      return { role: "user", content: [result] };
    }
    default:
      return message satisfies never;
  }
}

function resultContent({ text, images = [] }: ToolMessage): Pick<ToolResultBlockParam, "content"> {
  if (images.length > 0) return { content: [...texts(text), ...images.map(toImage)] };
  return text.trim() !== "" ? { content: text } : {};
}

function texts(text: string): TextBlockParam[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function toUserBlocks(part: UserMessage["parts"][number]): ContentBlockParam[] {
  switch (part.type) {
    case "text":
      return texts(part.text);
    case "image":
      return [toImage(part.url)];
    case "file": {
      const file = fileData(part.url);
      if (file?.kind !== "pdf") return texts(leftOutFile(part));
      const source = { type: "base64" as const, media_type: "application/pdf" as const, data: file.data };
      return [{ type: "document", source, ...(part.name ? { title: part.name } : {}) }];
    }
    default:
      return part satisfies never;
  }
}

const mediaTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

function toImage(url: string): ImageBlockParam {
  const inline = readDataUrl(url);
  const mediaType = mediaTypes.find((type) => type === inline?.type);
  const source =
    inline && mediaType
      ? { type: "base64" as const, media_type: mediaType, data: inline.data }
      : { type: "url" as const, url };
  return { type: "image", source };
}

function toAssistantBlocks(
  part: AssistantMessage["parts"][number],
  model: string,
  current: boolean,
): ContentBlockParam[] {
  switch (part.type) {
    case "text":
      return texts(part.text);
    case "reasoning":
      return current ? toThinking(part, model) : [];
    case "tool-call":
      return [
        { type: "tool_use", id: callId(part.callId), name: part.toolName, input: argumentsObject(part.arguments) },
      ];
    // Another model made it; in its own turn the API takes no picture.
    case "image":
    case "made-file":
      return [];
    default:
      return part satisfies never;
  }
}

function toThinking(part: ReasoningPart, model: string): ContentBlockParam[] {
  const block = toVendorBlock(part.vendor, model);
  if (block.length > 0) return block;
  const vendor = thinkingVendor(part.vendor);
  if (vendor?.model !== model) return [];
  return vendor.type === "thinking"
    ? [{ type: "thinking", thinking: part.text, signature: vendor.proof }]
    : [{ type: "redacted_thinking", data: vendor.proof }];
}

function toVendorBlock(vendor: Json | undefined, model: string): ContentBlockParam[] {
  const kept = vendorBlock.safeParse(vendor);
  // The vendor's own answer, given back unread.
  return kept.success && kept.data.model === model ? [kept.data.block as unknown as ContentBlockParam] : [];
}

function thinkingVendor(vendor: Json | undefined): ThinkingVendor | undefined {
  if (!isJsonObject(vendor)) return undefined;
  const { type, proof, model } = vendor;
  if (type !== "thinking" && type !== "redacted_thinking") return undefined;
  return typeof proof === "string" && typeof model === "string" ? { type, proof, model } : undefined;
}

/** The API takes ids of letters, digits, `_` and `-` only; a call of another vendor may be named otherwise. */
function callId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_") || "_";
}
