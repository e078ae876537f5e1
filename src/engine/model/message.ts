import type { EarlyFinish } from "../agent/ending.ts";
import type { FileValue } from "../file/file.ts";
import type { Json } from "../json.ts";
import { noTaint, type Taint } from "../trust/taint.ts";

/** Plain text. */
export interface TextPart {
  type: "text";
  text: string;
  vendor?: Json;
}

/** An image: a `data:` URL or an https URL. `vendor` is what the model that made it wants back. */
export interface ImagePart {
  type: "image";
  url: string;
  vendor?: Json;
}

/** A picture that a model made, as the run keeps it; `vendor` is what the model wants back. A model is sent its content. */
export interface MadeFilePart {
  type: "made-file";
  file: FileValue;
  vendor?: Json;
}

/** A document or a recording: a `data:` URL of a type in `fileTypes`. */
export interface FilePart {
  type: "file";
  url: string;
  name?: string;
}

/** What a reasoning model thought; `vendor` keeps the signature that the vendor wants back. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  vendor?: Json;
}

/** A native tool call. `arguments` is the JSON text exactly as the model sent it: it may be malformed. */
export interface ToolCallPart {
  type: "tool-call";
  callId: string;
  toolName: string;
  arguments: string;
  vendor?: Json;
}

/** A page that an answer is based on, as the vendor names it. */
export interface Source {
  url: string;
  title?: string;
}

/** Instructions; at most one, and the first. */
export interface SystemMessage {
  role: "system";
  text: string;
}

/** Which agent a remembered turn belongs to, and in which run. `title` is the agent's at that time. */
export interface TurnOrigin {
  runId: string;
  nodeId: string;
  title: string;
}

/** Why a turn failed, for people. */
export interface TurnFailure {
  message: string;
  hint: string;
}

/**
 * `untrusted`: it was made with untrusted content, such as a summary of messages that hold some. `caller`: all of that is what a
 * door's caller sent. `origin`: only of a remembered
 * question, and of the whole turn that begins with it. `files` come with it; only what is sent to a model holds their content.
 */
export interface UserMessage {
  role: "user";
  untrusted?: true;
  caller?: true;
  origin?: TurnOrigin;
  files?: readonly FileValue[];
  parts: (TextPart | ImagePart | FilePart)[];
}

/**
 * `untrusted`: texts that strangers may have written were in the conversation when it was said. `incomplete`: why the turn
 * ended early; its parts are what there was, and may be none. `failure`: the error that it ended with.
 */
export interface AssistantMessage {
  role: "assistant";
  untrusted?: true;
  incomplete?: EarlyFinish;
  failure?: TurnFailure;
  /** Where the vendor searched the web for it. */
  sources?: Source[];
  parts: (TextPart | ReasoningPart | ToolCallPart | ImagePart | MadeFilePart)[];
}

/**
 * The answer to one tool call; `text` is what the model reads, `images` are the pictures that it sees (`data:` URLs), `files` the
 * files of the run in it.
 */
export interface ToolMessage {
  role: "tool";
  callId: string;
  toolName: string;
  ok: boolean;
  text: string;
  /** Not called: a person said no, or there was nobody to ask. `ok` is false then. */
  rejected?: true;
  images?: string[];
  files?: readonly FileValue[];
  /** Whether strangers may have written in it; a stored message that does not say counts as if they had. */
  untrusted?: boolean;
}

/** One entry of a conversation, the same for every vendor; adapters translate at the edge. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A user message of one text. */
export function userMessage(text: string): UserMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

/** An assistant message of one text. */
export function assistantMessage(text: string): AssistantMessage {
  return { role: "assistant", parts: [{ type: "text", text }] };
}

/** The readable text of a message: text parts joined; reasoning, images, files and calls left out. */
export function messageText(message: Message): string {
  if (message.role === "system" || message.role === "tool") return message.text;
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += part.text;
  return text;
}

/**
 * Whether a stored conversation holds untrusted content: messages that say so, and attached files. A tool's result that bears no
 * mark was stored before results were marked: it counts as theirs, since nobody knows.
 */
export function holdsUntrusted(messages: readonly Message[]): boolean {
  return messages.some((message) => {
    if (message.role === "tool") return message.untrusted !== false;
    if (message.role === "system") return false;
    if (message.untrusted === true) return true;
    return (
      message.role === "user" && (message.files !== undefined || message.parts.some(({ type }) => type !== "text"))
    );
  });
}

/** A stored conversation as a source. */
export function taintOfMessages(messages: readonly Message[]): Taint {
  return holdsUntrusted(messages) ? ["an earlier part of this conversation"] : noTaint;
}

/** The calls that a message asks for, in order. */
export function toolCalls(message: AssistantMessage): ToolCallPart[] {
  return message.parts.filter((part) => part.type === "tool-call");
}

/** Text, pictures and tool calls without signatures; thoughts left out. */
export function plainParts(message: AssistantMessage): AssistantMessage["parts"] {
  const parts: AssistantMessage["parts"] = [];
  for (const part of message.parts) {
    if (part.type === "text") parts.push({ type: "text", text: part.text });
    else if (part.type === "image") parts.push({ type: "image", url: part.url });
    else if (part.type === "made-file") parts.push({ type: "made-file", file: part.file });
    else if (part.type === "tool-call") {
      const { type, callId, toolName } = part;
      parts.push({ type, callId, toolName, arguments: part.arguments });
    }
  }
  return parts;
}

/** The files that models made, of an answer; none of any other message. */
export function generatedFiles(message: Message): FileValue[] {
  return message.role === "assistant"
    ? message.parts.flatMap((part) => (part.type === "made-file" ? [part.file] : []))
    : [];
}

/** The files of the run or of earlier ones that a message names. */
export function filesOfMessage(message: Message): readonly FileValue[] {
  return "files" in message ? (message.files ?? []) : generatedFiles(message);
}
