import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMarkdown } from "../src/documents/read/read-markdown.ts";
import { type Chunking, defaultChunking } from "../src/engine/knowledge/chunking.ts";
import type { SourceDocument } from "../src/engine/knowledge/source-document.ts";
import { estimateTokens } from "../src/engine/model/estimate-tokens.ts";
import { deepest, measuresOf } from "../src/evaluation/retrieval/measures.ts";
import { isQuoteOf, ranksOf } from "../src/evaluation/retrieval/right-passage.ts";
import type { KnowledgeRepository } from "../src/services/knowledge.ts";
import { createKnowledgeRepository } from "../src/state/knowledge/storage/knowledge-repository.ts";
import { signUp } from "../supabase/local/testing/clients.ts";
import { startTestStack } from "../supabase/local/testing/start-stack.ts";
import { ingest } from "./knowledge/collections.ts";
import { atLeast } from "./knowledge/finding.ts";
import { guideQuestions } from "./knowledge/guide-questions.ts";
import type { Bench, Row } from "./measure.ts";

const folder = join(import.meta.dirname, "..", "docs");

const ways: Record<string, Chunking> = {
  "by size, 800 tokens": defaultChunking,
  "by size, 200 tokens": { size: 200, overlap: 25 },
  "by headings, 2 levels, 800 tokens": { ...defaultChunking, split: { by: "headings", depth: 2 } },
  "parents of 800 tokens, chunks of 200": { size: 800, overlap: 0, split: { by: "parents", depth: 2, child: 200 } },
  "parents of 800 tokens, chunks of 100": { size: 800, overlap: 0, split: { by: "parents", depth: 2, child: 100 } },
};

/** This project's documentation. */
function documentation(): SourceDocument[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((file) => {
    const name = file.replaceAll("\\", "/");
    const text = readFileSync(join(folder, file), "utf8");
    return { name, kind: "markdown", source: "", size: text.length, sections: readMarkdown(text) };
  });
}

/** A question whose quote was edited away measures nothing. */
function checkQuotes(documents: readonly SourceDocument[]): void {
  for (const { text, right } of guideQuestions) {
    const found = documents.find(({ name }) => name === right.document);
    if (!found?.sections.some((section) => isQuoteOf(section.text, right.quote))) {
      throw new Error(`"${right.quote}" no longer stands in docs/${right.document}. Change the quote of "${text}".`);
    }
  }
}

async function measure(
  repository: KnowledgeRepository,
  documents: readonly SourceDocument[],
  name: string,
  chunking: Chunking,
): Promise<Row[]> {
  const { id } = await repository.create({ name, embedding: null, chunking });
  const chunks = await ingest(repository, id, documents);
  const ranks: (number | null)[][] = [];
  let tokens = 0;
  for (const { text, right } of guideQuestions) {
    const hits = await repository.search({ collection: id, text, mode: "keyword", limit: deepest });
    const given = hits.map(({ content, parentText, metadata }) => ({
      document: metadata.document,
      content: parentText ?? content,
    }));
    ranks.push(ranksOf(given, [right]));
    for (const { content } of given.slice(0, 5)) tokens += estimateTokens(content);
  }
  const { recall5, recall10 } = measuresOf(ranks);
  return [
    atLeast(`recall@5 ${name} (${chunks} chunks)`, recall5.value, 0.6),
    atLeast(`recall@10 ${name}`, recall10.value, 0.7),
    {
      name: `tokens of the first 5, ${name}`,
      value: tokens / guideQuestions.length,
      unit: "tokens",
      goal: "for information",
      met: true,
    },
  ];
}

/** What keyword search finds in documents that are split in different ways. */
export const splittingBench: Bench = {
  id: "splitting",
  title: `Splitting documents (keyword search, ${guideQuestions.length} questions about this documentation)`,
  async run() {
    const documents = documentation();
    checkQuotes(documents);
    const stack = await startTestStack();
    try {
      const repository = createKnowledgeRepository((await signUp(stack)).client);
      const rows: Row[] = [];
      for (const [name, chunking] of Object.entries(ways)) {
        rows.push(...(await measure(repository, documents, name, chunking)));
      }
      return rows;
    } finally {
      await stack.stop();
    }
  },
};
