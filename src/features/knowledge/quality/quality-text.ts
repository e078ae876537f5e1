import type { KnowledgeMode } from "../../../engine/knowledge/knowledge.ts";
import { bestOf, differenceOf, type Measured, measuresOf } from "../../../evaluation/retrieval/measures.ts";
import { percent } from "../../../evaluation/statistics/words.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import type { MeasuredWay, QualityResult } from "../../../services/retrieval-quality.ts";
import { counted } from "../ingest-text.ts";
import { requestsOf } from "./measure-quality.ts";
import type { RerankFields } from "../../../nodes/knowledge/rerank-fields.ts";

const modeNames: Record<KnowledgeMode, string> = { keyword: "Keyword", hybrid: "Hybrid", semantic: "Semantic" };

/** "Hybrid, reranked". */
export function wayName({ mode, rerank }: Pick<MeasuredWay, "mode" | "rerank">): string {
  return rerank === null ? modeNames[mode] : `${modeNames[mode]}, reranked`;
}

/** "80 % (63–91 %)". */
export function shareText({ value, low, high }: Measured): string {
  return `${percent(value)} (${Math.round(low * 100)}–${Math.round(high * 100)} %)`;
}

/** "0.72 (0.58–0.84)". */
export function rankText({ value, low, high }: Measured): string {
  return `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** The best way, and what its lead over the others says. */
export function conclusionOf({ ways, questions }: Pick<QualityResult, "ways" | "questions">) {
  const best = bestOf(ways);
  const next = bestOf(ways.filter((way) => way !== best));
  if (best === undefined) return undefined;
  if (next === undefined) return { best, title: `${wayName(best)} is the only way to search`, text: "" };
  const [name, other] = [wayName(best), wayName(next)];
  const { recall5, isSure, pValue } = differenceOf(best.ranks, next.ranks);
  if (recall5 === 0) {
    const { recall10, mrr } = measuresOf(best.ranks);
    const second = measuresOf(next.ranks);
    const isSame = recall10.value === second.recall10.value && mrr.value === second.mrr.value;
    const title = isSame ? `${name} and ${other} found the same` : `${name} and ${other} found the same in the first 5`;
    const text = isSame ? "" : `${name} found more in the first 10, or found it earlier.`;
    return { best, title, text };
  }
  const lead = `${percent(recall5)} more in the first 5 than ${other}`;
  if (isSure) return { best, title: `${name} is better`, text: `It found ${lead} (p = ${pText(pValue)}).` };
  return {
    best,
    title: "No clear difference",
    text: `${name} found ${lead}, but chance alone can do that with ${counted(questions.length, "question")} (p = ${pText(pValue)}).`,
  };
}

const pText = (value: number) => (value < 0.001 ? "less than 0.001" : value.toFixed(3));

/** What a measurement will ask of others. */
export function requestsText(collection: CollectionSummary, questions: number, settings: RerankFields): string {
  const { embedding, rerank } = requestsOf(collection, questions, settings);
  const parts = [
    ...(embedding > 0 ? [`${counted(questions, "question")} embedded in ${counted(embedding, "request")}`] : []),
    ...(rerank > 0 ? [`${counted(rerank, "reranking request")}`] : []),
  ];
  return parts.length === 0 ? "Searches by keyword only, at no cost." : `Takes ${parts.join(" and ")}.`;
}
