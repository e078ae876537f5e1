import type { KnowledgeEmbedding } from "../../../engine/knowledge/knowledge.ts";
import type { EndedReload, ReloadReport, SourceKind, SourceSummary } from "../../../services/web-sources.ts";
import { costText } from "../embedding-cost.ts";
import { counted } from "../ingest-text.ts";
import { formatCost } from "../../../ui/text/format-amount.ts";

export const kindTitles: Record<SourceKind, string> = {
  page: "Page",
  sitemap: "Sitemap",
  site: "Site",
  feed: "Feed",
};

const intervals: readonly (readonly [hours: number, title: string])[] = [
  [1, "Every hour"],
  [6, "Every 6 hours"],
  [24, "Every day"],
  [168, "Every week"],
  [720, "Every 30 days"],
];

/** How often a source can be reloaded: the usual choices, and the one that it has. */
export function intervalOptions(hours: number | null): { value: string; label: string }[] {
  const isUsual = hours === null || intervals.some(([usual]) => usual === hours);
  return [
    ...intervals.map(([value, label]) => ({ value: String(value), label })),
    ...(isUsual ? [] : [{ value: String(hours), label: intervalText(hours) }]),
    { value: "", label: "Only when I reload it" },
  ];
}

export function intervalText(hours: number | null): string {
  if (hours === null) return "Reloaded by hand";
  return intervals.find(([usual]) => usual === hours)?.[1] ?? `Every ${counted(hours, "hour")}`;
}

/** What a reload did, such as "3 added, 1 changed, 1 failed". */
export function reportText(report: ReloadReport): string {
  const { added, changed, removed, failed, gone, costUsd } = report;
  const parts = [
    added > 0 && `${added} added`,
    changed > 0 && `${changed} changed`,
    removed > 0 && `${removed} removed`,
    gone > 0 && `${gone} not found`,
    failed > 0 && `${failed} failed`,
  ].filter((part) => part !== false);
  const cost = costUsd !== 0 ? ` · ${formatCost(costUsd)}` : "";
  return `${parts.length === 0 ? "Nothing changed" : parts.join(", ")}${cost}`;
}

/** How many pages a reload has come to. */
export function pagesOf({ added, changed, unchanged, failed, gone }: ReloadReport): number {
  return added + changed + unchanged + failed + gone;
}

/** Whether a worker is at it, or is to be. */
export function isUnderWay({ state, dueAt }: Pick<SourceSummary, "state" | "dueAt">, now: number): boolean {
  return state === "running" || (state === "idle" && dueAt !== null && Date.parse(dueAt) <= now);
}

/** What happens to a source at the moment; undefined while nothing does. */
export function progressText(source: SourceSummary, now: number): string | undefined {
  if (!isUnderWay(source, now)) return undefined;
  if (source.state !== "running") return "Waiting for a worker";
  return `${source.counts ? "Counting" : "Loading"}: ${counted(pagesOf(source.report), "page")} so far`;
}

/** What loading a source would cost, once it has counted. */
export function embeddingQuestion(embedding: KnowledgeEmbedding | null, last: EndedReload): string {
  return `${counted(last.added + last.changed, "page")} to embed. ${costText(embedding, last.tokens)}`;
}
