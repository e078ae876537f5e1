import { isJsonObject, type JsonObject, parseJson } from "../../engine/json.ts";

/**
 * The arguments of an earlier tool call as an object, for vendors that take nothing else in the history.
 * Text that is no JSON object becomes `{}`; the tool message after it says what was wrong.
 */
export function argumentsObject(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}
