import type { Condition } from "../../src/engine/knowledge/filter/condition.ts";
import type { SourceDocument } from "../../src/engine/knowledge/source-document.ts";
import { vectorText } from "../../src/state/knowledge/storage/vector-text.ts";
import { embedWords } from "../../src/providers/demo/embeddings.ts";
import { ingestDocument } from "../../src/nodes/knowledge/ingest-document.ts";
import type { KnowledgeRepository } from "../../src/services/knowledge.ts";
import type { SignedIn } from "../../supabase/local/testing/clients.ts";
import type { TestStack } from "../../supabase/local/testing/start-stack.ts";
import { benchHost } from "../hosts.ts";
import { fillerTexts } from "./filler.ts";
import { passages } from "./passages.ts";

/** Who makes the vectors: no key, no network, always the same. */
export const embedding = { provider: "demo", model: "words-256", credential: "" };

/** The labelled passages as documents, one chunk each. */
export const documents: SourceDocument[] = [...new Set(passages.map(({ document }) => document))].map((name) => ({
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
export async function ingest(
  repository: KnowledgeRepository,
  id: string,
  given: readonly SourceDocument[],
): Promise<number> {
  for (const document of given) {
    const { id: documentId } = await repository.putDocument(id, document, { hash: document.name });
    await ingestDocument(
      { id: documentId, name: document.name, sections: document.sections },
      await repository.collection(id),
      {
        writer: repository,
        host: benchHost(),
        signal: new AbortController().signal,
        spend: () => Promise.resolve(),
      },
    );
    await repository.finishDocument(documentId, { status: "ready", costUsd: 0 });
  }
  return (await repository.collection(id)).chunks;
}

/** The texts of a collection from a number on, and their vectors. */
export interface Filler {
  textsOf: (start: number, count: number) => readonly string[];
  vectorsOf: (texts: readonly string[], start: number) => readonly (readonly number[])[];
}

const usualFiller: Filler = { textsOf: fillerTexts, vectorsOf: embedWords };

const teams = ["sales", "support", "legal", "design"] as const;

/** What a search is narrowed to: about a twelfth of what `fill` makes. */
export const someDocuments: Condition = {
  is: "and",
  of: [
    { is: "=", field: "team", value: "sales" },
    { is: ">=", field: "year", value: 2024 },
  ],
};

/** Fills a collection with so many chunks past the API, after what it has: documents of 50, each with a team and a year. */
export async function fill(
  { stack, user, repository }: { stack: TestStack; user: SignedIn; repository: KnowledgeRepository },
  collection: string,
  chunks: number,
  { textsOf, vectorsOf }: Filler = usualFiller,
): Promise<void> {
  const batch = 50;
  const made: string[] = [];
  for (let start = 0; start < chunks; start += batch) {
    const number = start / batch;
    const filler: SourceDocument = {
      name: `filler ${number}`,
      kind: "text",
      source: "",
      size: 0,
      sections: [],
      metadata: { team: teams[number % teams.length] ?? "", year: 2020 + (Math.floor(number / teams.length) % 6) },
    };
    const { id: documentId } = await repository.putDocument(collection, filler, { hash: filler.name });
    made.push(documentId);
    const texts = textsOf(start, batch);
    const rows = vectorsOf(texts, start).map((vector, n) => ({
      n: start + n,
      text: texts[n],
      vector: vectorText(vector),
    }));
    await stack.sql(
      `insert into public.studio_knowledge_chunks
         (owner, collection_id, document_id, "position", content, content_hash, embedding)
       select $1, $2, $3, given.n, given.text, given.n::text, given.vector::extensions.vector
       from jsonb_to_recordset($4) as given (n integer, text text, vector text)`,
      [user.userId, collection, documentId, JSON.stringify(rows)],
    );
  }
  await stack.sql("analyze public.studio_knowledge_chunks");
  await stack.sql("analyze public.studio_knowledge_words");
  // The connection was idle for so long that the server may just be closing it.
  await repository.collections().catch(() => []);
  for (const documentId of made) await repository.finishDocument(documentId, { status: "ready", costUsd: 0 });
}
