import { isJsonObject, type JsonObject } from "../../engine/json.ts";

/** Arguments of a tool call as a person typed them: a JSON object, or what is wrong with the text. */
export function readArguments(text: string): { ok: true; input: JsonObject } | { ok: false; problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { ok: true, input: value };
    return { ok: false, problem: "The arguments must be a JSON object: { … }." };
  } catch (error) {
    return { ok: false, problem: `This is not valid JSON yet. ${error instanceof Error ? error.message : ""}`.trim() };
  }
}
