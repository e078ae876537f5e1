import { expect, it } from "vitest";
import type { ChunkEntry, DocumentSummary, KnowledgeRepository } from "../../../services/knowledge.ts";
import { findQuote } from "./find-quote.ts";

const knowledge: Pick<KnowledgeRepository, "documents" | "sections" | "chunks"> = {
  documents: () => Promise.resolve([{ id: "d", name: "shop.md" } as DocumentSummary]),
  sections: () => Promise.resolve([{ headings: [], text: "Lamps can be\nreturned." }]),
  chunks: (_id, { from, limit }) =>
    Promise.resolve(
      Array.from(
        { length: 250 },
        (_, position) => ({ content: `name: Alder, price: ${position}` }) as ChunkEntry,
      ).slice(from, from + limit),
    ),
};

it("finds words in what was read of a document, and in its chunks", async () => {
  const find = (document: string, quote: string) => findQuote(knowledge, "c", { document, quote });
  expect(await find("shop.md", "Lamps can be returned.")).toBe(true);
  expect(await find("shop.md", "name: Alder, price: 249")).toBe(true);
  expect(await find("shop.md", "Lamps cannot be returned.")).toBe(false);
  expect(await find("other.md", "Lamps can be returned.")).toBe(false);
});
