import { isJsonObject, type Json } from "../../engine/json.ts";
import type { PauseRequest } from "../../engine/run/breakpoints.ts";
import { readTypedJson } from "../../forms/read-typed-json.ts";

/** What a person typed for a held run: the value to go in, or what is wrong with it. */
export function readInput(
  text: string,
  kind: PauseRequest["kind"],
): { ok: true; input: Json } | { ok: false; problem: string } {
  const typed = readTypedJson(text);
  if (!typed.ok) return typed;
  const { value: input } = typed;
  if (kind === "tool-call" && !isJsonObject(input)) {
    return { ok: false, problem: "The arguments must be a JSON object: { … }." };
  }
  if (kind === "model-call" && !(isJsonObject(input) && Array.isArray(input.messages) && input.messages.length > 0)) {
    return { ok: false, problem: 'The messages must be a JSON object with at least one message: { "messages": […] }.' };
  }
  return { ok: true, input };
}
