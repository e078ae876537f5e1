import { describe, expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { citationsIn, citationsInText } from "./citations.ts";
import { searchOutput } from "./search-output.ts";

const hit = (chunkId: string, change: Record<string, Json> = {}): Json => ({
  content: "Lamps can be returned within 30 days.",
  score: 0.8,
  metadata: { chunkId, document: "returns.md", heading: "Refunds", position: 2, ...change },
});

describe("citationsIn", () => {
  it("gives each piece once, in the order in which it was found", () => {
    const found = citationsIn([
      { collection: "Handbook", results: [hit("b"), hit("a")] },
      { collection: "Handbook", results: [hit("a"), hit("c")] },
    ]);
    expect(found.map(({ chunkId }) => chunkId)).toEqual(["b", "a", "c"]);
    expect(found[0]).toEqual({
      chunkId: "b",
      document: "returns.md",
      heading: "Refunds",
      page: null,
      position: 2,
      score: 0.8,
    });
  });

  it("takes the page on which a piece begins", () => {
    const [found] = citationsIn([{ collection: "Handbook", results: [hit("a", { page: 3 })] }]);
    expect(found?.page).toBe(3);
  });

  it("keeps the address of a row of a table, and of no stored passage", () => {
    const url = "https://example.com/refunds";
    const [row, stored] = citationsIn([
      { collection: "Articles", results: [hit("row:1", { url }), hit("a", { url })] },
    ]);
    expect(row).toMatchObject({ chunkId: "row:1", url });
    expect(stored).not.toHaveProperty("url");
  });

  it("takes a piece without a heading", () => {
    const [found] = citationsIn([{ collection: "Handbook", results: [hit("a", { heading: null })] }]);
    expect(found?.heading).toBe("");
  });

  it.each<[string, Json]>([
    ["another tool's results", { results: [hit("a")] }],
    ["a search without a hit", { collection: "Handbook", results: [] }],
    ["a hit without a document", { collection: "Handbook", results: [hit("a", { document: null })] }],
    ["results that are no objects", { collection: "Handbook", results: ["a", null, { metadata: [] }] }],
    ["a text", "Handbook"],
  ])("finds nothing in %s", (_name, output) => {
    expect(citationsIn([output])).toEqual([]);
  });
});

describe("citationsInText", () => {
  const output = searchOutput(
    ["a", "b"].map((chunkId) => ({
      chunkId,
      content: "Lamps can be returned. ".repeat(10),
      score: 0.81,
      semanticScore: null,
      keywordScore: 0.81,
      metadata: { documentId: "d", document: "returns.md", heading: "Refunds", position: 2 },
    })),
    { collection: "Handbook", mode: "keyword", minScore: 0.7, filter: undefined },
  );
  const text = JSON.stringify(output);

  it("reads whole results", () => {
    expect(citationsInText([text]).map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["a", 0.81],
      ["b", 0.81],
    ]);
  });

  it("reads what is left of a result that the memory cut", () => {
    const cut = `${text.slice(0, 300)}…`;
    expect(citationsInText([cut]).map(({ chunkId, document }) => [chunkId, document])).toEqual([["a", "returns.md"]]);
    expect(citationsInText([`${text.slice(0, 60)}…`])).toEqual([]);
  });

  it("finds nothing in other texts", () => {
    expect(citationsInText(["60", "no JSON", `{"other":1,"metadata":{"chunkId":"a","document":"b"}`])).toEqual([]);
  });
});
