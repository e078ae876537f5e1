import type { PrivacySettings } from "../../document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../json.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import type { AssistantMessage, ImagePart, Message, UserMessage } from "../../model/message.ts";
import type { RunErrorData } from "../../errors.ts";
import type { EventOf, RunEvent } from "../events.ts";
import { type FileValue, fileSchema } from "../../file/file.ts";
import { createMask } from "./mask-text.ts";

type Delta = EventOf<"text-delta"> | EventOf<"reasoning-delta">;

/** The parts of events that hold what people, models and tools said; the rest are ids, names and numbers. */
const dataKeys = new Set([
  "input",
  "output",
  "text",
  "reason",
  "data",
  "preview",
  "session",
  "hint",
  "untrusted",
  "origins",
  "unsaid",
  "allowed",
  "form",
]);

/** Where a JSON Schema holds words and values of people; the rest are names and rules. */
const schemaData = new Set(["title", "description", "default", "const", "enum", "examples", "$comment"]);

/** Where it holds schemas by names. */
const schemasByName = new Set(["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]);

/**
 * Masks the events of a run on their way to storage. A stream's pieces are held back until the answer is complete, since
 * what is to be masked may be cut in two: they come as one piece, the others empty, so that the numbering has no gaps.
 */
export class EventMask {
  private readonly mask: (text: string) => string;
  private readonly held = new Map<string, Delta[]>();
  /** Every request of a conversation repeats the messages of those before it. */
  private readonly maskedMessages = new WeakMap<Message, Message>();

  constructor(settings: PrivacySettings) {
    this.mask = createMask(settings);
  }

  /** The events that may be stored now. */
  take(event: RunEvent): RunEvent[] {
    switch (event.type) {
      case "text-delta":
      case "reasoning-delta":
        this.hold(event);
        return [];
      case "model-response":
        return [...this.release(event.callId), this.masked(event)];
      case "run-end":
        return [...[...this.held.keys()].flatMap((callId) => this.release(callId)), this.masked(event)];
      default:
        return [this.masked(event)];
    }
  }

  text(text: string): string {
    return this.mask(text);
  }

  messages(messages: readonly Message[]): Message[] {
    return messages.map((message) => {
      const known = this.maskedMessages.get(message);
      if (known) return known;
      const masked = this.message(message);
      this.maskedMessages.set(message, masked);
      return masked;
    });
  }

  /** Any value with every text in it masked; numbers that look like what is to be masked become text. */
  value(value: Json): Json {
    if (typeof value === "string") return this.mask(value);
    if (typeof value === "number") {
      const text = String(value);
      const masked = text.length < 13 ? text : this.mask(text);
      return masked === text ? value : masked;
    }
    if (Array.isArray(value)) return value.map((each) => this.value(each));
    if (!isJsonObject(value)) return value;
    const file = fileSchema.safeParse(value);
    if (file.success) return maskedFile(file.data);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.mask(key), this.value(inner)]));
  }

  private hold(delta: Delta): void {
    const held = this.held.get(delta.callId);
    if (held) held.push(delta);
    else this.held.set(delta.callId, [delta]);
  }

  private release(callId: string): RunEvent[] {
    const deltas = this.held.get(callId) ?? [];
    this.held.delete(callId);
    const joined = new Map<Delta["type"], string>();
    for (const { type, text } of deltas) joined.set(type, (joined.get(type) ?? "") + text);
    return deltas.map((delta) => {
      const whole = joined.get(delta.type) ?? "";
      joined.set(delta.type, "");
      return { ...delta, text: this.mask(whole) };
    });
  }

  private masked(event: RunEvent): RunEvent {
    const copy = { ...event };
    for (const [key, value] of Object.entries(copy)) if (dataKeys.has(key)) Reflect.set(copy, key, this.value(value));
    if ("message" in copy) {
      if (copy.type === "model-response") copy.message = this.assistant(copy.message);
      else copy.message = this.mask(copy.message);
    }
    if ("messages" in copy && copy.type === "model-request") {
      copy.messages = this.messages(copy.messages);
      copy.tools = copy.tools.map((tool) => this.tool(tool));
    }
    if (copy.type === "file-add") {
      copy.file = maskedFile(copy.file);
      if (copy.workspace) copy.workspace = { ...copy.workspace, path: this.mask(copy.workspace.path) };
    }
    if (copy.type === "run-start" && copy.files) copy.files = copy.files.map(maskedFile);
    if ("error" in copy && copy.error) copy.error = this.error(copy.error);
    if (copy.type === "tool-app") {
      // Masked, it would be another document than its hash says; whoever watches the run live has it.
      const { html: _unmasked, ...app } = copy.app;
      copy.app = app;
    }
    if ("part" in copy && copy.part?.pinned) copy.part = { ...copy.part, pinned: this.byNode(copy.part.pinned) };
    return copy;
  }

  private byNode(outputs: Readonly<Record<string, Json>>): Record<string, Json> {
    return Object.fromEntries(Object.entries(outputs).map(([nodeId, output]) => [nodeId, this.value(output)]));
  }

  /** As the workflow kept with the run describes it, so that what runs on from the recording asks the same. */
  private tool(tool: ToolDefinition): ToolDefinition {
    const { description, parameters } = tool;
    return { ...tool, description: this.mask(description), parameters: this.inSchema(parameters) };
  }

  private inSchema(schema: JsonObject): JsonObject {
    const inside = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(inside);
      return isJsonObject(value) ? this.inSchema(value) : value;
    };
    const each = (key: string, value: Json): Json => {
      if (schemaData.has(key)) return this.value(value);
      if (!schemasByName.has(key) || !isJsonObject(value)) return inside(value);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)]));
    };
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, each(key, value)]));
  }

  private error(error: RunErrorData): RunErrorData {
    const cause = error.cause === undefined ? {} : { cause: this.value(error.cause) };
    return { ...error, message: this.mask(error.message), hint: this.mask(error.hint), ...cause };
  }

  private message(message: Message): Message {
    switch (message.role) {
      case "system":
        return { ...message, text: this.mask(message.text) };
      case "tool":
        return { ...message, text: this.mask(message.text), ...maskedFiles(message) };
      case "user":
        return { ...message, parts: message.parts.map((part) => this.userPart(part)), ...maskedFiles(message) };
      case "assistant":
        return this.assistant(message);
      default:
        return message satisfies never;
    }
  }

  private userPart(part: UserMessage["parts"][number]): UserMessage["parts"][number] {
    if (part.type === "text") return { ...part, text: this.mask(part.text) };
    if (part.type === "file") return part.name === undefined ? part : { ...part, name: this.mask(part.name) };
    return this.picture(part);
  }

  /** What a picture shows cannot be searched; its address can. */
  private picture(part: ImagePart): ImagePart {
    return part.url.startsWith("data:") ? part : { ...part, url: this.mask(part.url) };
  }

  private assistant(message: AssistantMessage): AssistantMessage {
    const parts = message.parts.map((part) => {
      if (part.type === "image") return this.picture(part);
      if (part.type === "made-file") return { ...part, file: maskedFile(part.file) };
      if (part.type !== "tool-call") return { ...part, text: this.mask(part.text) };
      return { ...part, arguments: this.argumentText(part.arguments) };
    });
    const { failure } = message;
    if (!failure) return { ...message, parts };
    return { ...message, parts, failure: { message: this.mask(failure.message), hint: this.mask(failure.hint) } };
  }

  /** JSON stays JSON, so that the recorded call can be read again. */
  private argumentText(text: string): string {
    const value = parseJson(text);
    return value === undefined ? this.mask(text) : JSON.stringify(this.value(value));
  }
}

function maskedFiles({ files }: { files?: readonly FileValue[] }): { files?: FileValue[] } {
  return files === undefined ? {} : { files: files.map(maskedFile) };
}

/** A file's name and content may say anything; what remains is its type, its size, and the id by which a replay finds it. */
function maskedFile(file: FileValue): FileValue {
  return { ...file, name: "[masked]", sha256: "[masked]" };
}
