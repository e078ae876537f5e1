import type { Json, JsonObject } from "../json.ts";
import { picturesIn } from "../model/attachments.ts";
import { firstChars } from "../well-formed.ts";
import type { ToolFailure, ToolResult } from "./tool.ts";

/** Characters of a result that the model sees, where its tool says nothing else. */
export const defaultResultChars = 20_000;

/** Characters of a result that the log keeps; above that it keeps what the model saw. */
const maxLoggedChars = 200_000;

/** A tool's result as the model reads it and as the log keeps it. */
export interface ResultText {
  text: string;
  /** Characters before any cut. */
  size: number;
  truncated: boolean;
  output: Json;
}

function failureData(error: ToolFailure): JsonObject {
  const data: JsonObject = { message: error.message };
  if (error.hint) data["hint"] = error.hint;
  if (error.code) data["code"] = error.code;
  if (error.details !== undefined) data["details"] = error.details;
  return data;
}

function failureText(error: ToolFailure): string {
  const words = `Error: ${error.message}${error.hint ? ` ${error.hint}` : ""}`;
  return error.details === undefined ? words : `${words}\n${JSON.stringify(error.details)}`;
}

function outputText(output: Json): string {
  // A tool may give undefined where the type says Json.
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "null");
}

/** Pictures are kept whole, since they cannot be cut. */
function withoutPictures(output: Json): Json {
  return Array.isArray(output) ? output.filter((part) => picturesIn(part).length === 0) : output;
}

/** Whether an output is, or holds, a picture, which cannot be cut. */
export function holdsPictures(output: Json): boolean {
  return picturesIn(output).length > 0;
}

/** What a model would read of a result, uncut. */
export function fullText(result: ToolResult): string {
  return result.ok ? (result.text ?? outputText(result.output)) : failureText(result.error);
}

/** The output of a result as the log keeps it: in full, or cut as text when it is long. */
export function loggedOutput(result: ToolResult): Json {
  return resultText(result, maxLoggedChars).output;
}

/** Text for the model, cut with a mark at `maxChars`, and data for the log. */
export function resultText(result: ToolResult, maxChars = defaultResultChars): ResultText {
  const whole = fullText(result);
  const size = whole.length;
  const logged = result.ok && result.text !== undefined ? outputText(withoutPictures(result.output)).length : size;
  const truncated = size > maxChars;
  const text = truncated
    ? `${firstChars(whole, maxChars)}\n[cut: the first ${maxChars.toLocaleString("en")} of ${size.toLocaleString("en")} characters]`
    : whole;
  const full = result.ok ? (result.output ?? null) : failureData(result.error);
  return { text, size, truncated, output: logged > maxLoggedChars ? text : full };
}
