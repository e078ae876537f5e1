import { type KnowledgeHit, type KnowledgeMode, knowledgeModes } from "../../src/engine/knowledge/knowledge.ts";
import { vectorText } from "../../src/state/knowledge/storage/vector-text.ts";
import { embedWords } from "../../src/providers/demo/embeddings.ts";
import type { KnowledgeRepository } from "../../src/services/knowledge.ts";
import type { TestStack } from "../../supabase/local/testing/start-stack.ts";
import type { Condition } from "../../src/engine/knowledge/filter/condition.ts";
import { limitRow, median, time, type Row } from "../measure.ts";
import { fillerQuestions } from "./filler.ts";
import { type Question, questions } from "./questions.ts";
import { wideVectors } from "./wide-vectors.ts";

function ask(
  repository: KnowledgeRepository,
  collection: string,
  text: string,
  mode: KnowledgeMode,
  filter?: Condition,
) {
  const [vector] = embedWords([text]);
  const among = filter ? { filter } : {};
  return repository.search({ collection, text, mode, limit: 5, ...(vector ? { embedding: vector } : {}), ...among });
}

/** A row that holds a share against the least that it should be. */
export function atLeast(name: string, value: number, goal: number): Row {
  return { name, value: value * 100, unit: "%", goal: `≥ ${Math.round(goal * 100)} %`, met: value >= goal };
}

/** The share of questions whose passage is among the first five hits. */
export async function recall(
  repository: KnowledgeRepository,
  collection: string,
  mode: KnowledgeMode,
  asked: readonly Question[],
): Promise<number> {
  let found = 0;
  for (const { text, answer } of asked) {
    const hits = await ask(repository, collection, text, mode);
    if (hits.some((hit) => hit.metadata["id"] === answer)) found += 1;
  }
  return found / asked.length;
}

/** Medians of the three modes over the labelled questions, or over others, through the API. */
export async function latency(
  repository: KnowledgeRepository,
  collection: string,
  where: string,
  limitMs: number,
  { asked = questions.map(({ text }) => text), filter }: { asked?: readonly string[]; filter?: Condition } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of knowledgeModes) {
    const times: number[] = [];
    for (const text of asked) times.push(await time(() => ask(repository, collection, text, mode, filter)));
    rows.push(limitRow(`${mode} search in ${where}, median`, median(times), "ms", limitMs));
  }
  return rows;
}

interface Near {
  id: string;
  label: string | null;
  distance: number;
}

/** The nearest five by SQL: all vectors compared in full. */
async function nearest(stack: TestStack, collection: string, vector: string): Promise<{ found: Near[]; ms: number }> {
  const distance = "embedding operator(extensions.<=>) $1::extensions.vector";
  let found: Near[] = [];
  const ms = await time(async () => {
    found = await stack.sql<Near>(
      `select id, metadata ->> 'id' as label, ${distance} as distance from public.studio_knowledge_chunks
       where collection_id = $2 order by ${distance} limit 5`,
      [vector, collection],
    );
  });
  return { found, ms };
}

/**
 * What a semantic search finds in a collection, against all vectors compared one by one in SQL: for questions about the
 * labelled passages, which were stored first, and about the filler, which is most of it.
 */
export async function againstExact(
  stack: TestStack,
  repository: KnowledgeRepository,
  collection: string,
  where: string,
): Promise<Row[]> {
  const sets = [
    { about: "the passages", texts: questions.map(({ text }) => text) },
    { about: "the filler", texts: fillerQuestions(40) },
  ];
  const rows: Row[] = [];
  const times: number[] = [];
  let labelled = 0;
  for (const { about, texts } of sets) {
    let bySearch = 0;
    for (const [number, text] of texts.entries()) {
      const exact = await nearest(stack, collection, vectorText(embedWords([text])[0] ?? []));
      times.push(exact.ms);
      bySearch += among(await ask(repository, collection, text, "semantic"), exact.found);
      if (about === "the passages" && exact.found.some((near) => near.label === questions[number]?.answer))
        labelled += 1;
    }
    const of = texts.length * 5;
    rows.push(atLeast(`of the nearest five in ${where}, found (questions about ${about})`, bySearch / of, 0.97));
  }
  rows.push(limitRow(`all vectors of ${where} compared in SQL, median`, median(times), "ms", 250));
  const possible = labelled / questions.length;
  const found = await recall(repository, collection, "semantic", questions);
  // These vectors know words only: among so many texts no search could find more by them.
  rows.push(
    atLeast(
      `recall@5 semantic in ${where} (comparing all gives ${Math.round(possible * 100)} %)`,
      found,
      possible * 0.9,
    ),
  );
  return rows;
}

/** How many hits are as near as the exact nearest five; several may be equally near. */
function among(hits: readonly KnowledgeHit[], exact: readonly Near[]): number {
  const fifth = (exact.at(-1)?.distance ?? 0) + 1e-6;
  return hits.filter((hit) => 2 - 2 * (hit.semanticScore ?? 0) <= fifth).length;
}

/** The three modes with vectors of 1,536 numbers, beside all of them compared in full in the same turns. */
export async function wideSearches(
  stack: TestStack,
  repository: KnowledgeRepository,
  collection: string,
  where: string,
): Promise<Row[]> {
  const texts = fillerQuestions(40);
  const vectors = wideVectors(7_000_000, texts.length).map((vector) => [...vector]);
  const times: Record<KnowledgeMode | "exact", number[]> = { keyword: [], semantic: [], hybrid: [], exact: [] };
  let found = 0;
  for (const [number, text] of texts.entries()) {
    const embedding = vectors[number] ?? [];
    const exact = await nearest(stack, collection, vectorText(embedding));
    times.exact.push(exact.ms);
    for (const mode of knowledgeModes) {
      let hits: KnowledgeHit[] = [];
      const search = async () => (hits = await repository.search({ collection, text, mode, limit: 5, embedding }));
      times[mode].push(await time(search));
      if (mode === "semantic") found += among(hits, exact.found);
    }
  }
  return [
    ...knowledgeModes.map((mode) => {
      const row = limitRow(`${mode} search in ${where}, median`, median(times[mode]), "ms", 120);
      return mode === "keyword" ? row : { ...row, baseline: median(times.exact) };
    }),
    atLeast(`of the nearest five in ${where}, found`, found / (texts.length * 5), 0.97),
  ];
}
