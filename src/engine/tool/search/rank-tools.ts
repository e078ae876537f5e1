import { isJsonObject, type Json } from "../../json.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import { rankByTerms, type WeightedTerms } from "./rank-by-terms.ts";
import { searchTerms } from "./search-terms.ts";

/** How much a word counts by the place where it stands. */
const weights = { name: 2, description: 1, parameters: 0.5 };

/** Finds tools by words: the best fitting ones, at most `limit`, none that has no word of the query. */
export type RankTools = (query: string, limit: number) => ToolDefinition[];

/** Indexes tools by their names, descriptions and parameters. Of equal ones the first comes first. */
export function rankTools(tools: readonly ToolDefinition[]): RankTools {
  const rank = rankByTerms(tools.map(termsOf));
  return (query, limit) => rank(query, limit).flatMap((index) => tools[index] ?? []);
}

function termsOf(tool: ToolDefinition): WeightedTerms {
  const terms: WeightedTerms = new Map();
  const add = (text: string, weight: number) => {
    for (const term of searchTerms(text)) terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  add(tool.name, weights.name);
  add(tool.description, weights.description);
  for (const text of schemaTexts(tool.parameters)) add(text, weights.parameters);
  return terms;
}

/** Names, descriptions and choices of a schema's properties, also of nested ones. */
function schemaTexts(schema: Json | undefined): string[] {
  if (!isJsonObject(schema)) return [];
  const properties = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const own = properties.flatMap(([name, property]) => {
    const { description, enum: choices } = isJsonObject(property) ? property : {};
    const texts = [description, ...(Array.isArray(choices) ? choices : [])].filter((text) => typeof text === "string");
    return [name, ...texts, ...schemaTexts(property)];
  });
  return [...own, ...schemaTexts(schema["items"])];
}
