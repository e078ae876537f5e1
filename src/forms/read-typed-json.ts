import { readJson, type Json } from "../engine/json.ts";

/** JSON that a person types: its value, or why there is none yet, in words to show beside the input. */
export function readTypedJson(text: string): { ok: true; value: Json } | { ok: false; problem: string } {
  try {
    return { ok: true, value: readJson(text) };
  } catch (error) {
    return { ok: false, problem: `This is not valid JSON yet. ${error instanceof Error ? error.message : ""}`.trim() };
  }
}
