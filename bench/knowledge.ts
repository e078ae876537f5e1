import { knowledgeModes, type KnowledgeMode } from "../src/engine/knowledge/knowledge.ts";
import { embedWords } from "../src/providers/demo/embeddings.ts";
import { createKnowledgeRepository } from "../src/state/knowledge/storage/knowledge-repository.ts";
import type { KnowledgeRepository } from "../src/services/knowledge.ts";
import { signUp } from "../supabase/local/testing/clients.ts";
import { startTestStack } from "../supabase/local/testing/start-stack.ts";
import { documents, embedding, fill, ingest, someDocuments } from "./knowledge/collections.ts";
import { chineseQuestions, chineseTexts } from "./knowledge/chinese-filler.ts";
import { fillerQuestions, fillerTexts } from "./knowledge/filler.ts";
import { againstExact, atLeast, latency, recall, wideSearches } from "./knowledge/finding.ts";
import { passages } from "./knowledge/passages.ts";
import { questions } from "./knowledge/questions.ts";
import { wide, wideVectors } from "./knowledge/wide-vectors.ts";
import { limitRow, time, type Bench, type Row } from "./measure.ts";

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

/** A document of some million characters, in and searchable. */
async function adding(repository: KnowledgeRepository): Promise<Row> {
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
  return limitRow(`cut, embed, store and index a document, per chunk (${size})`, spent / chunks, "ms", 50);
}

/** A collection that begins with the labelled passages and goes on with so many chunks of filler. */
async function among(chunks: number, limitMs: number): Promise<Row[]> {
  const stack = await startTestStack();
  try {
    const user = await signUp(stack);
    const repository = createKnowledgeRepository(user.client);
    const { id } = await repository.create({ name: "Large", embedding });
    await ingest(repository, id, documents);
    await fill({ stack, user, repository }, id, chunks);
    const where = `${chunks.toLocaleString("en")} chunks`;
    const rows = await latency(repository, id, where, limitMs);
    const narrowed = { asked: fillerQuestions(40), filter: someDocuments };
    rows.push(...(await latency(repository, id, `${where}, filtered by metadata`, limitMs, narrowed)));
    for (const mode of ["hybrid", "keyword"] as const) {
      const found = await recall(repository, id, mode, questions);
      rows.push(atLeast(`recall@5 ${mode} in ${where}`, found, goals[mode] - 0.1));
    }
    return [...rows, ...(await againstExact(stack, repository, id, where))];
  } finally {
    await stack.stop();
  }
}

/** A collection with vectors as long as those of most paid models. */
async function wideAmong(chunks: number): Promise<Row[]> {
  const stack = await startTestStack();
  try {
    const user = await signUp(stack);
    const repository = createKnowledgeRepository(user.client);
    const { id } = await repository.create({ name: "Wide", embedding });
    await stack.sql("update public.studio_knowledge_collections set dimension = $2 where id = $1", [id, wide]);
    await fill({ stack, user, repository }, id, chunks, {
      textsOf: fillerTexts,
      vectorsOf: (texts, start) => wideVectors(start, texts.length).map((vector) => [...vector]),
    });
    return await wideSearches(stack, repository, id, `${chunks.toLocaleString("en")} chunks of ${wide} numbers`);
  } finally {
    await stack.stop();
  }
}

/** A collection in Chinese, with and without a filter. */
async function chineseAmong(chunks: number, limitMs: number): Promise<Row[]> {
  const stack = await startTestStack();
  try {
    const user = await signUp(stack);
    const repository = createKnowledgeRepository(user.client);
    const { id } = await repository.create({ name: "Chinese", embedding });
    await stack.sql("update public.studio_knowledge_collections set dimension = 256 where id = $1", [id]);
    await fill({ stack, user, repository }, id, chunks, { textsOf: chineseTexts, vectorsOf: embedWords });
    const where = `${chunks.toLocaleString("en")} chunks in Chinese`;
    const asked = chineseQuestions(40);
    return [
      ...(await latency(repository, id, where, limitMs, { asked })),
      ...(await latency(repository, id, `${where}, filtered by metadata`, limitMs, { asked, filter: someDocuments })),
    ];
  } finally {
    await stack.stop();
  }
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
      return [
        ...(await quality(repository, small.id)),
        ...(await latency(repository, small.id, `${passages.length} chunks`, 100)),
        await adding(repository),
        ...(await among(6_000, 200)),
      ];
    } finally {
      await stack.stop();
    }
  },
};

/** The same among as many chunks as a library has; takes minutes to fill. */
export const largeKnowledgeBench: Bench = {
  id: "knowledge-large",
  title: "Knowledge base, large",
  run: async () => [...(await among(50_000, 120)), ...(await wideAmong(50_000))],
};

/** A large collection in a script without blanks between words. */
export const chineseKnowledgeBench: Bench = {
  id: "knowledge-chinese",
  title: "Knowledge base, large and in Chinese",
  run: () => chineseAmong(50_000, 120),
};
