import { firstChars } from "../engine/well-formed.ts";
import { isJsonObject, type Json } from "../engine/json.ts";

/** Characters of a value in a chat; the run has it in full. */
const longestJson = 20_000;

/** The words of a run's output: an agent's response, a text, or any other value as JSON. */
export function answerText(output: Json | undefined): string {
  if (output === undefined || output === null) return "";
  if (typeof output === "string") return output;
  if (isJsonObject(output) && typeof output.response === "string") return output.response;
  const value = isJsonObject(output) && "response" in output ? output.response : output;
  const json = JSON.stringify(value, null, 2);
  const shown = json.length > longestJson ? `${firstChars(json, longestJson)}\n…` : json;
  return `\`\`\`json\n${shown}\n\`\`\``;
}
