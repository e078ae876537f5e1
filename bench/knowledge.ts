import { embeddedText } from "../src/engine/knowledge/cut-document.ts";
import { knowledgeModes, type KnowledgeMode } from "../src/engine/knowledge/knowledge.ts";
import type { SourceDocument } from "../src/engine/knowledge/source-document.ts";
import { createKnowledgeRepository } from "../src/host/knowledge/knowledge-repository.ts";
import { embedWords } from "../src/providers/demo/embeddings.ts";
import { ingestDocument } from "../src/stores/ingest/ingest-document.ts";
import type { KnowledgeRepository } from "../src/stores/knowledge-services.ts";
import { signUp, type SignedIn } from "../supabase/local/testing/clients.ts";
import { startTestStack, type TestStack } from "../supabase/local/testing/start-stack.ts";
import { benchHost } from "./hosts.ts";
import { fillerTexts } from "./knowledge/filler.ts";
import { passages, questions, type Question } from "./knowledge/labelled-set.ts";
import { limitRow, median, time, type Bench, type Row } from "./measure.ts";

const manyChunks = 50_000;
const vectorIndex = "studio_knowledge_chunks_vector_256";
const embedding = { provider: "demo", model: "words-256", credential: "" };

const documents: SourceDocument[] = [...new Set(passages.map(({ document }) => document))].map((name) => ({
  name,
  kind: "text",
  source: "",
  size: 0,
  sections: passages
    .filter(({ document }) => document === name)
    .map(({ heading, text, id }) => ({
      headings: heading === "" ? [] : [heading],
      text,
      alone: true,
      metadata: { id },
    })),
}));

/** Puts documents into a collection the way a browser does; gives the number of chunks. */
async function ingest(repository: KnowledgeRepository, id: string, given: readonly SourceDocument[]): Promise<number> {
  for (const document of given) {
    const documentId = await repository.putDocument(id, document, { hash: document.name });
    await ingestDocument(
      { id: documentId, name: document.name, sections: document.sections },
      await repository.collection(id),
      { repository, host: benchHost(), signal: new AbortController().signal, report: () => {} },
    );
    await repository.finishDocument(documentId, { status: "ready", costUsd: 0 });
  }
  return (await repository.collection(id)).chunks;
}

function ask(repository: KnowledgeRepository, collection: string, text: string, mode: KnowledgeMode) {
  const [vector] = embedWords([text]);
  return repository.search({ collection, text, mode, limit: 5, ...(vector ? { embedding: vector } : {}) });
}

/** The share of questions whose passage is among the first five hits. */
async function recall(
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

function atLeast(name: string, value: number, goal: number): Row {
  return { name, value: value * 100, unit: "%", goal: `≥ ${goal * 100} %`, met: value >= goal };
}

const goals: Record<KnowledgeMode, number> = { keyword: 0.85, semantic: 0.6, hybrid: 0.85 };

async function quality(repository: KnowledgeRepository, collection: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of knowledgeModes) {
    const all = await recall(repository, collection, mode, questions);
    const name = `recall@5 ${mode}, ${questions.length} questions on ${passages.length} passages`;
    rows.push(atLeast(mode === "keyword" ? name : `${name} (vectors: demo's words-256)`, all, goals[mode]));
  }
  for (const kind of ["same words", "other words", "mistyped"] as const) {
    const asked = questions.filter((question) => question.kind === kind);
    rows.push(
      atLeast(
        `  of these, hybrid on ${asked.length} in ${kind}`,
        await recall(repository, collection, "hybrid", asked),
        0.6,
      ),
    );
  }
  return rows;
}

/** Fills a collection past the API and builds the vector index at the end, which takes a fraction of growing it. */
async function fill(stack: TestStack, user: SignedIn, collection: string, id: string): Promise<void> {
  const [index] = await stack.sql<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = '${vectorIndex}'`,
  );
  await stack.sql(`drop index public.${vectorIndex}`);
  const batch = 500;
  for (let start = 0; start < manyChunks; start += batch) {
    const texts = fillerTexts(start, batch);
    const rows = embedWords(texts).map((vector, n) => ({
      n: start + n,
      text: texts[n],
      vector: `[${vector.join(",")}]`,
    }));
    await stack.sql(
      `insert into public.studio_knowledge_chunks
         (owner, collection_id, document_id, "position", content, content_hash, embedding)
       select $1, $2, $3, given.n, given.text, given.n::text, given.vector::extensions.vector
       from jsonb_to_recordset($4) as given (n integer, text text, vector text)`,
      [user.userId, collection, id, JSON.stringify(rows)],
    );
  }
  await stack.sql("set maintenance_work_mem = '192MB'");
  await stack.sql(index?.indexdef ?? "");
  await stack.sql("analyze public.studio_knowledge_chunks");
  await stack.sql("analyze public.studio_knowledge_words");
}

async function latency(repository: KnowledgeRepository, collection: string, where: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const mode of knowledgeModes) {
    const times: number[] = [];
    for (const { text } of questions) times.push(await time(() => ask(repository, collection, text, mode)));
    rows.push(limitRow(`${mode} search in ${where}, median`, median(times), "ms", where.includes("000") ? 500 : 100));
  }
  return rows;
}

/** How many of the five nearest vectors the index finds, compared with going through all of them. */
async function shareOfExact(repository: KnowledgeRepository, collection: string): Promise<number> {
  const asked = embedWords(questions.map(({ text }) => text));
  const best = asked.map((): number[] => []);
  const batch = 500;
  const own = passages.map(({ heading, text: content }) => embeddedText({ heading, content }));
  for (let start = -batch; start < manyChunks; start += batch) {
    for (const vector of embedWords(start < 0 ? own : fillerTexts(start, batch))) {
      asked.forEach((question, index) => {
        const cosine = question.reduce((sum, value, place) => sum + value * (vector[place] ?? 0), 0);
        const kept = [...(best[index] ?? []), (1 + cosine) / 2].toSorted((a, b) => b - a);
        best[index] = kept.slice(0, 5);
      });
    }
  }
  let found = 0;
  for (const [index, { text }] of questions.entries()) {
    const fifth = best[index]?.at(-1) ?? 1;
    const hits = await ask(repository, collection, text, "semantic");
    // Postgres keeps vectors in single precision.
    found += hits.filter((hit) => hit.score > fifth - 1e-5).length;
  }
  return found / (questions.length * 5);
}

/** What searching and adding documents costs on the embedded stack, over its real API, and how much is found. */
export const knowledgeBench: Bench = {
  id: "knowledge",
  title: `Knowledge base (vectors of ${embedding.provider}/${embedding.model}: words, no synonyms)`,
  async run() {
    const stack = await startTestStack();
    try {
      const user = await signUp(stack);
      const repository = createKnowledgeRepository(user.client);
      const small = await repository.create({ name: "Labelled set", embedding });
      await ingest(repository, small.id, documents);
      const rows = [
        ...(await quality(repository, small.id)),
        ...(await latency(repository, small.id, `${passages.length} chunks`)),
      ];

      const book = fillerTexts(900_000, 4_000)
        .map((text, n) => `${text}${n % 5 === 4 ? "\n\n" : " "}`)
        .join("");
      const sections = [{ headings: ["Book"], text: book }];
      const added = await repository.create({ name: "Book", embedding });
      let chunks = 0;
      const spent = await time(async () => {
        chunks = await ingest(repository, added.id, [
          { name: "book", kind: "text", source: "", size: book.length, sections },
        ]);
      });
      const size = `${(book.length / 1e6).toFixed(1)} million characters, ${chunks} chunks`;
      rows.push(limitRow(`cut, embed, store and index a document, per chunk (${size})`, spent / chunks, "ms", 50));

      const large = await repository.create({ name: "Large", embedding });
      const filler = { name: "filler", kind: "text" as const, source: "", size: 0, sections: [] };
      const fillerId = await repository.putDocument(large.id, filler, { hash: "filler" });
      await ingest(repository, large.id, documents);
      await fill(stack, user, large.id, fillerId);
      // The connection was idle for so long that the server may just be closing it.
      await repository.collections().catch(() => []);
      await repository.finishDocument(fillerId, { status: "ready", costUsd: 0 });
      const where = `${manyChunks.toLocaleString("en")} chunks`;
      rows.push(...(await latency(repository, large.id, where)));
      for (const mode of ["hybrid", "keyword"] as const) {
        rows.push(
          atLeast(
            `recall@5 ${mode} in ${where}`,
            await recall(repository, large.id, mode, questions),
            goals[mode] - 0.1,
          ),
        );
      }
      const exact = await shareOfExact(repository, large.id);
      rows.push(atLeast(`of the five nearest vectors in ${where}, found by the index`, exact, 0.9));
      return rows;
    } finally {
      await stack.stop();
    }
  },
};
