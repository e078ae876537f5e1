import { knowledgeModes, type KnowledgeMode } from "../../src/engine/knowledge/knowledge.ts";
import { embedWords } from "../../src/providers/demo/embeddings.ts";
import type { KnowledgeRepository } from "../../src/stores/knowledge-services.ts";
import type { TestStack } from "../../supabase/local/testing/start-stack.ts";
import { limitRow, median, time, type Row } from "../measure.ts";
import { fillerQuestions } from "./filler.ts";
import { type Question, questions } from "./questions.ts";

function ask(repository: KnowledgeRepository, collection: string, text: string, mode: KnowledgeMode) {
  const [vector] = embedWords([text]);
  return repository.search({ collection, text, mode, limit: 5, ...(vector ? { embedding: vector } : {}) });
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

/** Medians of the three modes over the labelled questions, through the API. */
export async function latency(
  repository: KnowledgeRepository,
  collection: string,
  where: string,
  limitMs: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of knowledgeModes) {
    const times: number[] = [];
    for (const { text } of questions) times.push(await time(() => ask(repository, collection, text, mode)));
    rows.push(limitRow(`${mode} search in ${where}, median`, median(times), "ms", limitMs));
  }
  return rows;
}

interface Near {
  id: string;
  label: string | null;
  distance: number;
}

/** The nearest five by SQL: all vectors compared, or as the graph index gives them. */
async function nearest(
  stack: TestStack,
  collection: string,
  text: string,
  by: "comparing" | "index",
): Promise<{ found: Near[]; ms: number }> {
  const cast = by === "index" ? "::extensions.vector(256)" : "";
  const distance = `(embedding${cast}) operator(extensions.<=>) ($1::extensions.vector${cast})`;
  let found: Near[] = [];
  const ms = await time(async () => {
    found = await stack.sql<Near>(
      `select id, metadata ->> 'id' as label, ${distance} as distance from public.studio_knowledge_chunks
       where collection_id = $2 and extensions.vector_dims(embedding) = 256 order by ${distance} limit 5`,
      [`[${embedWords([text])[0]?.join(",")}]`, collection],
    );
  });
  return { found, ms };
}

/**
 * What a semantic search finds in a collection, against all vectors compared one by one in SQL: for questions about the
 * labelled passages, which were stored first, and about the filler, which is most of it. The graph index alone stands
 * beside it, since the search asks it only in larger collections.
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
  await stack.sql("set hnsw.ef_search = 1000");
  await stack.sql("set hnsw.iterative_scan = strict_order");
  const rows: Row[] = [];
  const times: Record<"comparing" | "index", number[]> = { comparing: [], index: [] };
  let labelled = 0;
  for (const { about, texts } of sets) {
    let bySearch = 0;
    let byIndex = 0;
    for (const [number, text] of texts.entries()) {
      const exact = await nearest(stack, collection, text, "comparing");
      const index = await nearest(stack, collection, text, "index");
      times.comparing.push(exact.ms);
      times.index.push(index.ms);
      const fifth = (exact.found.at(-1)?.distance ?? 0) + 1e-6;
      byIndex += index.found.filter((near) => near.distance <= fifth).length;
      const hits = await ask(repository, collection, text, "semantic");
      bySearch += hits.filter((hit) => 2 - 2 * hit.score <= fifth).length;
      if (about === "the passages" && exact.found.some((near) => near.label === questions[number]?.answer))
        labelled += 1;
    }
    const of = texts.length * 5;
    rows.push(atLeast(`of the nearest five in ${where}, found (questions about ${about})`, bySearch / of, 0.9));
    rows.push(atLeast("  the same by the graph index alone", byIndex / of, 0.9));
  }
  await stack.sql("reset hnsw.ef_search");
  await stack.sql("reset hnsw.iterative_scan");
  rows.push(limitRow(`all vectors of ${where} compared in SQL, median`, median(times.comparing), "ms", 250));
  rows.push(limitRow("  the graph index alone, median", median(times.index), "ms", 250));
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
