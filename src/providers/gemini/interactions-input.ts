import type { Interactions } from "@google/genai/web";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { readDataUrl } from "../../engine/model/data-url.ts";
import type { AssistantMessage, Message, ToolCallPart, ToolMessage, UserMessage } from "../../engine/model/message.ts";
import { fileData } from "../../engine/model/attachments.ts";
import { leftOutFile } from "../wire/left-out-file.ts";
import { argumentsObject } from "../wire/tool-arguments.ts";
import { mediaType } from "./contents.ts";

type Step = Interactions.Step;

/**
 * The conversation as steps: instructions apart, and each of Gemini's own thoughts and searches as it came, since without stored
 * state they "must always be resent exactly as received" ("Thinking", "Tool combination"). Thoughts of other vendors are left out.
 */
export function toSteps(messages: Message[]): { system: string; input: Step[] } {
  const system: string[] = [];
  const input: Step[] = [];
  const callIds = new Map<string, string>();
  for (const message of messages) {
    switch (message.role) {
      case "system":
        if (input.length === 0) system.push(message.text);
        else input.push(userInput([{ type: "text", text: message.text }]));
        break;
      case "user":
        input.push(userInput(message.parts.map(toContent)));
        break;
      case "assistant":
        input.push(...fromAssistant(message, callIds));
        break;
      case "tool":
        input.push(toResult(message, callIds.get(message.callId)));
        break;
      default:
        message satisfies never;
    }
  }
  if (input[0]?.type !== "user_input")
    input.unshift(userInput([{ type: "text", text: "(The conversation starts here.)" }]));
  return { system: system.filter((text) => text !== "").join("\n\n"), input };
}

/** Whether a call came through this API; only then is the thought before it there to be returned. */
export function isInteractionCall(part: ToolCallPart): boolean {
  return stepIn(part.vendor)?.type === "function_call";
}

function userInput(content: Interactions.Content[]): Step {
  return { type: "user_input", content: content.length > 0 ? content : [{ type: "text", text: "" }] };
}

function toContent(part: UserMessage["parts"][number]): Interactions.Content {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return toImage(part.url);
    case "file": {
      const file = fileData(part.url);
      if (file === undefined) return { type: "text", text: leftOutFile(part) };
      return { type: file.kind === "pdf" ? "document" : "audio", mime_type: file.type, data: file.data };
    }
    default:
      return part satisfies never;
  }
}

function toImage(url: string): Interactions.ImageContent {
  const inline = readDataUrl(url);
  if (inline) return { type: "image", mime_type: inline.type, data: inline.data };
  return { type: "image", uri: url, mime_type: mediaType(url) };
}

/** `callIds` gets the vendor's own name of each call, since the agent may have given it another. */
function fromAssistant(message: AssistantMessage, callIds: Map<string, string>): Step[] {
  const steps: Step[] = [];
  for (const part of message.parts) {
    const own = stepIn(part.vendor);
    if (part.type === "text") {
      // An empty line that was put between two texts for people.
      if (part.text !== "" && !isGap(part.vendor)) addOutput(steps, { type: "text", text: part.text });
    } else if (part.type === "image") {
      addOutput(steps, toImage(part.url));
    } else if (part.type === "tool-call") {
      const call: JsonObject = own?.type === "function_call" ? own : {};
      const id = typeof call.id === "string" && call.id !== "" ? call.id : part.callId;
      callIds.set(part.callId, id);
      const named = { id, name: part.toolName, arguments: argumentsObject(part.arguments) };
      steps.push({ ...call, type: "function_call", ...named });
    } else if (own) {
      steps.push(own as Step);
    }
  }
  return steps;
}

/** Texts and pictures that follow each other are one step. */
function addOutput(steps: Step[], content: Interactions.Content): void {
  const last = steps.at(-1);
  if (last?.type === "model_output") last.content?.push(content);
  else steps.push({ type: "model_output", content: [content] });
}

function toResult({ callId, toolName, ok, text, images = [] }: ToolMessage, id: string | undefined): Step {
  return {
    type: "function_result",
    call_id: id ?? callId,
    name: toolName,
    ...(ok ? {} : { is_error: true }),
    result: [{ type: "text", text }, ...images.map(toImage)],
  };
}

function isGap(vendor: Json | undefined): boolean {
  return isJsonObject(vendor) && vendor.gap === true;
}

/** The step that a part was made from; a thought without its signature is refused, so it counts as none. */
function stepIn(vendor: Json | undefined): (JsonObject & { type: string }) | undefined {
  const step = isJsonObject(vendor) ? vendor.step : undefined;
  if (!isJsonObject(step) || typeof step.type !== "string") return undefined;
  if (step.type === "thought" && !step.signature) return undefined;
  return { ...step, type: step.type };
}
