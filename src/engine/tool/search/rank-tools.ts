import { isJsonObject, type Json } from "../../json.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import { searchTerms } from "./search-terms.ts";

/** How much a word counts by the place where it stands. */
const weights = { name: 2, description: 1, parameters: 0.5 };

/** BM25's usual constants: how soon repetition stops to count, and how much length does. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Finds tools by words: the best fitting ones, at most `limit`, none that has no word of the query. */
export type RankTools = (query: string, limit: number) => ToolDefinition[];

interface IndexedTool {
  tool: ToolDefinition;
  /** Weighted counts. */
  words: Map<string, number>;
  length: number;
}

/** Indexes tools by their names, descriptions and parameters (BM25). Of equal ones the first comes first. */
export function rankTools(tools: readonly ToolDefinition[]): RankTools {
  const indexed = tools.map(indexTool);
  const meanLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const toolsWith = new Map<string, number>();
  for (const { words } of indexed) for (const word of words.keys()) toolsWith.set(word, (toolsWith.get(word) ?? 0) + 1);

  function rarity(word: string): number {
    const count = toolsWith.get(word) ?? 0;
    return Math.log(1 + (indexed.length - count + 0.5) / (count + 0.5));
  }

  function score({ words, length }: IndexedTool, query: ReadonlySet<string>): number {
    const longer = saturation * (1 - lengthShare + (lengthShare * length) / meanLength);
    let sum = 0;
    for (const word of query) {
      const count = words.get(word);
      if (count !== undefined) sum += (rarity(word) * count * (saturation + 1)) / (count + longer);
    }
    return sum;
  }

  return (query, limit) => {
    const asked = new Set(searchTerms(query));
    return indexed
      .map((entry) => ({ tool: entry.tool, score: score(entry, asked) }))
      .filter((found) => found.score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  };
}

function indexTool(tool: ToolDefinition): IndexedTool {
  const words = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const word of searchTerms(text)) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(tool.name, weights.name);
  add(tool.description, weights.description);
  for (const text of schemaTexts(tool.parameters)) add(text, weights.parameters);
  return { tool, words, length };
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
