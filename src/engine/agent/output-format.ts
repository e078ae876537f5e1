import type { Json, JsonSchema } from "../json.ts";
import type { SchemaCheck } from "./schema-verdict.ts";

/** An answer read as JSON, or why it is not what was asked for. */
type JsonAnswer = { ok: true; value: Json } | { ok: false; reason: string };

/** Part of the system prompt when the output format is json. */
export function jsonInstruction(schema: JsonSchema | null): string {
  const rule = "Give your final answer as one JSON value and nothing else: no prose, no code fence.";
  return schema ? `${rule} It has to fit this JSON Schema:\n${JSON.stringify(schema)}` : rule;
}

/** Stands in every request for a repair. */
export const repairInstruction = "Answer again with the corrected JSON only.";

/** The message that asks for a repair. */
export function repairQuestion(reason: string): string {
  return `Your answer could not be used: ${reason} ${repairInstruction}`;
}

/** The JSON in a text: all of it, or what stands in its one code fence. */
function bare(text: string): string {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n?\s*```/i.exec(text);
  return (fenced?.[1] ?? text).trim();
}

/** Reads and checks a JSON answer. Rejects only when the check is aborted. */
export async function readJsonAnswer(text: string, check: SchemaCheck | null): Promise<JsonAnswer> {
  let value: Json;
  try {
    value = JSON.parse(bare(text));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `It is not valid JSON (${cause}).` };
  }
  const checked = check ? await check(value) : { ok: true as const };
  return checked.ok ? { ok: true, value } : { ok: false, reason: `It does not fit the schema. ${checked.reason}` };
}
