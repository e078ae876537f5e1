import type { JsonObject, JsonSchema } from "../../engine/json.ts";
import type { ModelSettings } from "../export-target.ts";

/** A JSON Schema that says nothing of the value. */
export function isAnyJson(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

/** An object as an object literal, its lines moved to the right by so many blanks. */
export function objectCode(value: JsonObject, by: number): string {
  // As a plain key it would set the prototype.
  const written = JSON.stringify(value, null, 2).replaceAll("\n", `\n${" ".repeat(by)}`);
  return written.replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}

/** Settings of a model, one a line, by the target's names for them. */
export function settingLines(settings: ModelSettings, names: Partial<Record<keyof ModelSettings, string>>): string[] {
  return Object.entries(settings).map(
    ([name, value]) => `${names[name as keyof ModelSettings] ?? name}: ${JSON.stringify(value)},`,
  );
}
