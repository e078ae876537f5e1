import { isJsonObject, type Json } from "../../engine/json.ts";
import { type AssistantMessage, type Message, messageText } from "../../engine/model/message.ts";
import type { ReplayChange } from "../../engine/run/replay/replay-options.ts";
import { readTypedJson } from "../../forms/read-typed-json.ts";
import type { CallStep } from "../../state/run/step-actions.tsx";

/** What is to be different from a call on. */
export type ForkKind = "again" | "request" | "response" | "arguments" | "result";

/** The kinds that a call offers, the likeliest first. */
export function forkKinds(step: CallStep): readonly ForkKind[] {
  return step.kind === "model" ? ["request", "response", "again"] : ["arguments", "result", "again"];
}

/** The text that is edited for a kind, one per part: a prompt has one per message. */
export function forkTexts(step: CallStep, kind: ForkKind): string[] {
  if (step.kind === "model") {
    if (kind === "request") return step.request.messages.map(messageText);
    if (kind === "response") return [step.response ? messageText(step.response.message) : step.text];
    return [];
  }
  if (kind === "arguments") return [asText(step.approval?.input ?? step.heldInput ?? step.start.input)];
  if (kind === "result") return [asText(step.end?.output ?? null)];
  return [];
}

function asText(value: Json): string {
  return JSON.stringify(value, null, 2);
}

type ForkChange = { ok: true; change: ReplayChange | null } | { ok: false; problem: string };

/** What the edited texts mean; `succeeds` says whether a changed result is one or an error. Null changes nothing. */
export function readFork(step: CallStep, kind: ForkKind, texts: readonly string[], succeeds: boolean): ForkChange {
  if (kind === "again") return { ok: true, change: null };
  if (step.kind === "model") {
    if (kind === "request") {
      const messages = step.request.messages.map((message, index) => withText(message, texts[index] ?? ""));
      return { ok: true, change: { kind: "request", messages } };
    }
    const message: AssistantMessage = { role: "assistant", parts: [{ type: "text", text: texts[0] ?? "" }] };
    return { ok: true, change: { kind: "response", message } };
  }
  const value = readTypedJson(texts[0] ?? "");
  if (!value.ok) return value;
  if (kind === "result") return { ok: true, change: { kind: "result", ok: succeeds, output: value.value } };
  if (!isJsonObject(value.value)) return { ok: false, problem: 'Arguments are a JSON object, such as { "name": 1 }.' };
  return { ok: true, change: { kind: "arguments", input: value.value } };
}

/** The message with other words; images, reasoning and tool calls in it stay. */
function withText(message: Message, text: string): Message {
  if (messageText(message) === text) return message;
  switch (message.role) {
    case "system":
    case "tool":
      return { ...message, text };
    case "user":
      return { ...message, parts: [{ type: "text", text }, ...message.parts.filter((part) => part.type !== "text")] };
    case "assistant":
      return { ...message, parts: [{ type: "text", text }, ...message.parts.filter((part) => part.type !== "text")] };
    default:
      return message satisfies never;
  }
}
