import { isJsonObject, parseExactJson } from "../../engine/json.ts";

/**
 * The arguments of an earlier tool call as an object, for vendors that take nothing else in the history; large integers are bigints, as
 * the model wrote them. Text that is no JSON object becomes `{}`; the tool message after it says what was wrong.
 */
export function argumentsObject(text: string): Record<string, unknown> {
  const value = parseExactJson(text);
  return isJsonObject(value) ? value : {};
}
