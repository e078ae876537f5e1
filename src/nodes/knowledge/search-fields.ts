import { z } from "zod/mini";
import { type ConfigOf, field } from "../../engine/config/field.ts";
import type { JsonObject } from "../../engine/json.ts";
import { describeCollection } from "./collection-fields.ts";
import { modeTitles } from "./mode-titles.ts";
import { searchModes } from "./plan-search.ts";
import { rerankFields } from "./rerank-fields.ts";
import { embeddingFields } from "./embedding-fields.ts";

const byMeaning = { field: "mode", in: ["collection", "hybrid", "semantic"] };

/** A filter with the values that templates insert. */
const writtenFilter = z.object({ sql: z.string().check(z.maxLength(4_000)), parameters: z.array(z.json()) });

/** How a collection is searched. `ai`: whether a model may choose among the passages. */
export const searchFields = ({ ai }: { ai: boolean }) => ({
  mode: field(z._default(z.enum(searchModes), "hybrid"), {
    label: "Mode",
    help: "Hybrid finds passages with the same words or the same meaning, semantic by meaning alone, keyword by words alone and without a key. A collection without embeddings is searched by keyword.",
    optionTitles: { collection: "As the collection says", ...modeTitles },
    startsAs: "collection",
  }),
  topK: field(z._default(z.int().check(z.minimum(1), z.maximum(50)), 5), {
    label: "Results",
    help: "How many passages a search returns at most.",
  }),
  minScore: field(z._default(z.number().check(z.minimum(0), z.maximum(1)), 0.7), {
    label: "Lowest score",
    help: "How well a passage has to fit, from 0 to 1; 0.5 is nothing in common. Raise it when unrelated passages are found, lower it when too few are.",
  }),
  filter: field(z._default(z.record(z.string(), z.string()), {}), {
    label: "Only passages with",
    help: ai
      ? 'Searches only there: document handbook.md, page 3, row 12 or entry 4. The model may choose: {{ai("document", "which document", "string", "")}}. Empty values are ignored.'
      : "Searches only there: document handbook.md, page 3, row 12 or entry 4. Empty values are ignored.",
    template: "text",
    ...(ai ? { ai } : {}),
  }),
  where: field(z._default(z.union([z.string().check(z.maxLength(4_000)), writtenFilter]), ""), {
    label: "Filter",
    help: `Searches only passages that match, by the metadata of their documents or by document, page, row, entry or slide. Values can be {{json.team}}${ai ? ' or {{ai("team", "which team", "string")}}' : ""}, without quotes.`,
    control: "text",
    template: "sql",
    placeholder: 'team = "sales" and year >= 2025',
    ...(ai ? { ai } : {}),
  }),
  embeddingModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Embedding model",
    help: "Empty: the collection's own. Any other is refused, since the two cannot be compared.",
    section: "Embeddings",
    placeholder: "The collection's own",
    visibleWhen: byMeaning,
  }),
  ...embeddingFields(byMeaning),
  ...rerankFields(),
});

export type SearchFields = ConfigOf<ReturnType<typeof searchFields>>;

/** The line of a card: the collection, and how it is searched where the node itself says so. */
export function describeSearch(raw: JsonObject): string {
  const { mode = "hybrid", topK = 5 } = raw;
  return mode === "collection" ? describeCollection(raw, topK) : describeCollection(raw, mode, topK);
}
