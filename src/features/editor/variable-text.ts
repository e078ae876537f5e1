import { jsonOrText, type Json } from "../../engine/json.ts";

/** A variable's value from what was typed: JSON where it is JSON, otherwise the text itself. */
export function readVariable(text: string): Json {
  return jsonOrText(text);
}

/** The text that `readVariable` reads as this value. */
export function writeVariable(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return readVariable(value) === value ? value : JSON.stringify(value);
}

/** What kind of value a text stands for, in a word. */
export function kindOfVariable(text: string): string {
  const value = readVariable(text);
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  if (typeof value === "object") return "object";
  return { string: "text", number: "number", boolean: "yes or no" }[typeof value as "string" | "number" | "boolean"];
}

/** One row of the form. */
export interface VariableRow {
  key: number;
  name: string;
  text: string;
}

/** Why a row's name cannot be used, in words; undefined when it can. */
export function nameProblem(name: string, rows: readonly VariableRow[]): string | undefined {
  if (name === "") return "Enter a name.";
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) return "Use letters, digits and _, not a digit first.";
  return rows.filter((row) => row.name === name).length > 1 ? "Two variables have this name." : undefined;
}
