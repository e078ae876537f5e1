import { type Chunking, chunkingBounds } from "../../engine/knowledge/chunking.ts";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { inputLimitOf } from "../../engine/model/embedding-limits.ts";
import { formatTokens } from "../../ui/text/format-amount.ts";

/** The ways to split documents. */
export const splitWays = ["size", "headings", "parents"] as const;
export type SplitWay = (typeof splitWays)[number];

/** A chunking as it is typed; numbers of the other ways are kept while one chooses. */
export interface ChunkingDraft {
  way: SplitWay;
  size: string;
  overlap: string;
  depth: number;
  child: string;
}

type TypedNumber = "size" | "overlap" | "child";
export type ChunkingProblems = Partial<Record<TypedNumber, string>>;

const usual = { depth: 2, child: 200 };

export function draftOfChunking({ size, overlap, split }: Chunking): ChunkingDraft {
  const { depth, child } = { ...usual, ...split };
  return { way: split?.by ?? "size", size: String(size), overlap: String(overlap), depth, child: String(child) };
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

/**
 * The chunking that was typed, or what is wrong with it, by field. A chunk that the embedding model would not take is no
 * chunking for it.
 */
export function readChunking(
  draft: ChunkingDraft,
  embedding: KnowledgeEmbedding | null,
): { ok: true; chunking: Chunking } | { ok: false; problems: ChunkingProblems } {
  const { way, depth } = draft;
  const problems: ChunkingProblems = {};
  const read = (name: TypedNumber): number => {
    const { min, max } = chunkingBounds[name];
    const value = wholeNumber(draft[name]);
    if (value === null || value < min || value > max) problems[name] = `Enter a whole number from ${min} to ${max}.`;
    return value ?? min;
  };
  const size = read("size");
  const overlap = way === "parents" ? 0 : read("overlap");
  const child = way === "parents" ? read("child") : size;
  const embedded = way === "parents" ? "child" : "size";
  const limit = embedding && inputLimitOf(embedding);
  if (embedding && limit !== null && child > limit) {
    problems[embedded] ??= `${embedding.model} takes at most ${formatTokens(limit)} at once. Enter ${limit} or less.`;
  }
  if (way === "parents" && child >= size) problems.child ??= "A chunk must be smaller than its section.";
  if (way !== "parents" && overlap >= size) problems.overlap ??= "The overlap must be smaller than a chunk.";
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, chunking: chunkingOf(way, { size, overlap, depth, child }) };
}

function chunkingOf(way: SplitWay, numbers: { size: number; overlap: number; depth: number; child: number }): Chunking {
  const { size, overlap, depth, child } = numbers;
  switch (way) {
    case "size":
      return { size, overlap };
    case "headings":
      return { size, overlap, split: { by: "headings", depth } };
    case "parents":
      return { size, overlap, split: { by: "parents", depth, child } };
    default:
      return way satisfies never;
  }
}

/** Whether two chunkings split documents in the same way. */
export function isSameChunking(a: Chunking, b: Chunking): boolean {
  return JSON.stringify(draftOfChunking(a)) === JSON.stringify(draftOfChunking(b));
}

/** A chunking in a few words: "of 800 tokens, split by headings". */
export function chunkingText({ size, split }: Chunking): string {
  switch (split?.by) {
    case undefined:
      return `of ${formatTokens(size)}`;
    case "headings":
      return `of ${formatTokens(size)}, split by headings`;
    case "parents":
      return `of ${formatTokens(split.child)} in sections of ${formatTokens(size)}`;
    default:
      return split satisfies never;
  }
}
