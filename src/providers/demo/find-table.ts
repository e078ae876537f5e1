import { isJsonObject, type Json, type JsonSchema } from "../../engine/json.ts";
import type { ToolDefinition } from "../../engine/model/chat-model.ts";

/** Words that follow a verb of asking and name no table. */
const fillers = new Set([
  "me",
  "the",
  "all",
  "my",
  "our",
  "first",
  "last",
  "few",
  "some",
  "rows",
  "row",
  "table",
  "entries",
  "of",
  "from",
  "in",
]);

/** A name without its schema, quotes and plural, to compare with a word that someone wrote. */
function stem(name: string): string {
  const last = name.split(".").at(-1) ?? name;
  return last.replaceAll('"', "").toLowerCase().replace(/s$/, "");
}

/** The table that a text is about: one that the schema offers, or the word that stands where a table would. */
export function findTable(schema: JsonSchema, text: string): string | undefined {
  const words = text.match(/[\p{L}_][\p{L}\p{N}_.]*/gu)?.map((word) => word.replace(/\.$/, "")) ?? [];
  const choices: Json[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  if (choices.length > 0) {
    const stems = new Set(words.map(stem));
    return choices.find((choice) => typeof choice === "string" && stems.has(stem(choice)))?.toString();
  }
  const asked = words.findIndex((word) => /^(?:rows|table|from|show|list|read|select)$/i.test(word));
  return asked === -1 ? undefined : words.slice(asked + 1).find((word) => !fillers.has(word.toLowerCase()));
}

/** The tool that reads rows of a table that the model chooses, and the table that the text is about. */
export function findTableReader(
  tools: readonly ToolDefinition[],
  text: string,
): { tool: ToolDefinition; table: string } | undefined {
  for (const tool of tools) {
    const { properties } = tool.parameters;
    if (!isJsonObject(properties) || !isJsonObject(properties["table"])) continue;
    const writes = "values" in properties || "rows" in properties || /delete|remove/i.test(tool.name);
    const table = writes ? undefined : findTable(properties["table"], text);
    if (table !== undefined) return { tool, table };
  }
  return undefined;
}
