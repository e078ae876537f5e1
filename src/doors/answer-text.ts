import { fileSchema } from "../engine/file/file.ts";
import { firstChars } from "../engine/well-formed.ts";
import { isJsonObject, type Json } from "../engine/json.ts";

/** Characters of a value in a chat; the run has it in full. */
const longestJson = 20_000;

/** The words of a run's output: an agent's response, a text, or any other value as JSON; none where it is a file. */
export function answerText(output: Json | undefined): string {
  if (output === undefined || output === null) return "";
  if (typeof output === "string") return output;
  if (isJsonObject(output) && typeof output.response === "string") return output.response;
  const value = isJsonObject(output) && "response" in output ? output.response : output;
  if (isFiles(value)) return "";
  const json = JSON.stringify(value, null, 2);
  const shown = json.length > longestJson ? `${firstChars(json, longestJson)}\n…` : json;
  return `\`\`\`json\n${shown}\n\`\`\``;
}

/** Whether a value is nothing but files, which are shown as such beside the words. */
function isFiles(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (fileSchema.safeParse(value).success) return true;
  const inner = Object.values(value);
  return inner.length > 0 && inner.every(isFiles);
}
