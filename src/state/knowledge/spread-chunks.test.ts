import { expect, it } from "vitest";
import type { DocumentSummary } from "../../services/knowledge.ts";
import { spread } from "./spread-chunks.ts";

const documentOf = (id: string, chunks: number) => ({ id, name: `${id}.md`, chunks }) as DocumentSummary;

it("takes chunks of all documents, each once, at even distances", () => {
  const places = spread([documentOf("a", 90), documentOf("b", 10)], 10);
  expect(places.filter(({ document }) => document.id === "b")).toHaveLength(1);
  expect(new Set(places.map(({ document, position }) => `${document.id} ${position}`)).size).toBe(10);
  expect(spread([documentOf("a", 2)], 10)).toHaveLength(2);
  expect(spread([], 10)).toEqual([]);
});
