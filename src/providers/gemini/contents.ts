import type { Content, Part } from "@google/genai/web";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { readDataUrl } from "../../engine/model/data-url.ts";
import type { AssistantMessage, Message, ToolCallPart, ToolMessage, UserMessage } from "../../engine/model/message.ts";
import { argumentsObject } from "../wire/tool-arguments.ts";

/** Documented stand-in for the signature of a call that Gemini did not make itself ("Thought signatures"). */
const foreignSignature = "skip_thought_signature_validator";

/**
 * The conversation as Gemini wants it: instructions apart, roles `user` and `model`, the results of one turn's calls
 * together, thoughts left out, thought signatures returned on the parts that they came with. `signed` models refuse
 * unsigned calls in the current turn, so those of another vendor get a stand-in.
 */
export function toContents(messages: Message[], signed: boolean): { system: string; contents: Content[] } {
  const system: string[] = [];
  const contents: Content[] = [];
  const callIds = new Map<string, string | undefined>();
  const current = messages.findLastIndex((message) => message.role === "user");
  for (const [index, message] of messages.entries()) {
    switch (message.role) {
      case "system":
        if (contents.length === 0) system.push(message.text);
        else contents.push({ role: "user", parts: [{ text: message.text }] });
        break;
      case "user":
        contents.push({ role: "user", parts: toUserParts(message) });
        break;
      case "assistant": {
        for (const part of message.parts) {
          if (part.type === "tool-call") callIds.set(part.callId, textOf(part.vendor, "id"));
        }
        const parts = toModelParts(message, signed && index > current);
        if (parts.length > 0) contents.push({ role: "model", parts });
        break;
      }
      case "tool":
        addResult(contents, toResult(message, callIds.get(message.callId), signed));
        break;
      default:
        message satisfies never;
    }
  }
  if (contents[0]?.role !== "user")
    contents.unshift({ role: "user", parts: [{ text: "(The conversation starts here.)" }] });
  return { system: system.filter((text) => text !== "").join("\n\n"), contents };
}

function toUserParts(message: UserMessage): Part[] {
  const parts = message.parts.map((part): Part => {
    if (part.type === "text") return { text: part.text };
    return toInline(part.url);
  });
  return parts.length > 0 ? parts : [{ text: "" }];
}

/** A picture, a document or a recording, by its data or its address. */
function toInline(url: string): Part {
  const inline = readDataUrl(url);
  if (inline) return { inlineData: { mimeType: inline.type, data: inline.data } };
  return { fileData: { fileUri: url, mimeType: mediaType(url) } };
}

/** An image's type, by its address. */
export function mediaType(url: string): string {
  const ending = /\.(png|webp|gif|heic)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  return `image/${ending ?? "jpeg"}`;
}

function toModelParts(message: AssistantMessage, mustSign: boolean): Part[] {
  const parts: Part[] = [];
  let callsSoFar = 0;
  for (const part of message.parts) {
    const own = isJsonObject(part.vendor) ? part.vendor.part : undefined;
    if (isJsonObject(own)) {
      parts.push(own);
      continue;
    }
    const signature = textOf(part.vendor, "thoughtSignature");
    const signed = signature !== undefined ? { thoughtSignature: signature } : {};
    if (part.type === "text") {
      if (part.text !== "" || signature !== undefined) parts.push({ text: part.text, ...signed });
    } else if (part.type === "image") parts.push({ ...toInline(part.url), ...signed });
    else if (part.type === "tool-call") {
      // Of parallel calls only the first carries a signature.
      const standIn = mustSign && callsSoFar === 0 && signature === undefined;
      parts.push({ ...toCall(part), ...(standIn ? { thoughtSignature: foreignSignature } : signed) });
      callsSoFar += 1;
    }
  }
  return parts;
}

function toCall(part: ToolCallPart): Part {
  const id = textOf(part.vendor, "id");
  const call = { name: part.toolName, args: argumentsObject(part.arguments) };
  return { functionCall: id !== undefined ? { id, ...call } : call };
}

/** Pictures stand in the result itself, which models from Gemini 3 on take ("Multimodal function responses"). */
function toResult(message: ToolMessage, id: string | undefined, takesPictures: boolean): Part {
  const response = message.ok ? { output: message.text } : { error: message.text };
  const pictures = takesPictures ? (message.images ?? []).map(toInline) : [];
  return {
    functionResponse: {
      ...(id !== undefined ? { id } : {}),
      name: message.toolName,
      response,
      ...(pictures.length > 0 ? { parts: pictures } : {}),
    },
  };
}

/** Results of one turn stand in one content; a count that differs from the calls' is refused. */
function addResult(contents: Content[], part: Part): void {
  const last = contents.at(-1);
  if (last?.role === "user" && last.parts?.every((other) => other.functionResponse)) last.parts.push(part);
  else contents.push({ role: "user", parts: [part] });
}

function textOf(vendor: Json | undefined, name: string): string | undefined {
  const value = isJsonObject(vendor) ? vendor[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
