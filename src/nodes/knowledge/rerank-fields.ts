import { z } from "zod/mini";
import { type ConfigOf, field } from "../../engine/config/field.ts";
import type { CalledModel } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import { type RerankFormat, rerankFormats } from "../../providers/rerank/rerank-formats.ts";
import { rerankProvider } from "../../providers/rerank/rerank-texts.ts";

const whenOn = { field: "rerank", in: [...rerankFormats] };
const section = "Rerank";

export const rerankTitles: Record<"off" | RerankFormat, string> = {
  off: "Off",
  cohere: "Cohere, Jina and compatible",
  voyage: "Voyage",
  tei: "Text Embeddings Inference",
};

/** Whether a model puts what was found into a better order, and which. */
export const rerankFields = () => ({
  rerank: field(z._default(z.enum(["off", ...rerankFormats]), "off"), {
    label: "Rerank",
    help: "A model compares the query with each passage and puts the best first. Choose the format of the server's /rerank endpoint.",
    optionTitles: rerankTitles,
    section,
  }),
  rerankCredential: field(z._default(z.string().check(z.maxLength(200)), ""), {
    label: "Credential for reranking",
    help: "Its base URL is the part before /rerank: https://api.cohere.com/v2, https://api.jina.ai/v1, https://api.voyageai.com/v1, or the address of your server.",
    control: "credential",
    credentialTypes: [rerankProvider],
    section,
    visibleWhen: whenOn,
  }),
  rerankModel: field(z._default(z.string().check(z.trim(), z.maxLength(200)), ""), {
    label: "Reranking model",
    help: "Such as rerank-v3.5, jina-reranker-v2-base-multilingual or rerank-2.5.",
    section,
    placeholder: "rerank-v3.5",
    visibleWhen: { field: "rerank", in: ["cohere", "voyage"] },
  }),
  rerankFrom: field(z._default(z.int().check(z.minimum(2), z.maximum(100)), 30), {
    label: "Passages to rerank",
    help: "How many search results the model compares; the best of them are returned. The lowest score applies before reranking.",
    section,
    visibleWhen: whenOn,
  }),
  rerankPrice: field(z._default(z.nullable(z.number().check(z.minimum(0), z.maximum(100_000))), null), {
    label: "Reranking price",
    help: "US dollars per million tokens; where the server counts searches, as Cohere does, per thousand searches. Empty: the cost of the run is not known. Under a spending limit it is needed: 0 for a server of your own.",
    section,
    placeholder: "not known",
    visibleWhen: whenOn,
  }),
});

export type RerankFields = ConfigOf<ReturnType<typeof rerankFields>>;

/** The model that puts passages into a better order, where a config has one. */
export function rerankCalls({ rerank, rerankModel = "", rerankPrice }: JsonObject): CalledModel[] {
  const format = rerankFormats.find((one) => one === rerank);
  if (format === undefined || typeof rerankModel !== "string") return [];
  // In whichever unit it is: all that counts is whether it is known.
  const price = typeof rerankPrice === "number" ? { input: rerankPrice, output: 0 } : undefined;
  return [{ provider: format, model: rerankModel || "the reranking model", price, fields: ["rerankPrice"] }];
}

/** The order of the search stays. */
export const noRerank: RerankFields = {
  rerank: "off",
  rerankCredential: "",
  rerankModel: "",
  rerankFrom: 30,
  rerankPrice: null,
};
