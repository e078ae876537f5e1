import { isJsonObject, type Json } from "../../../engine/json.ts";

/** The longest value that an error repeats, in characters. */
export const longestShown = 100;
const most = 500;

/** The single values that the model gave in a call, as texts: an error may repeat these and no others. */
export function givenValues(input: Json): string[] {
  return [...new Set(leaves(input))].filter((text) => text.length <= longestShown).slice(0, most);
}

function leaves(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isJsonObject(value) ? Object.values(value).flatMap(leaves) : [String(value)];
}
