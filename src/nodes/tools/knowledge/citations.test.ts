import { describe, expect, it } from "vitest";
import type { Json } from "../../../engine/json.ts";
import { citationsIn } from "./citations.ts";

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
    expect(found[0]).toEqual({ chunkId: "b", document: "returns.md", heading: "Refunds", position: 2, score: 0.8 });
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
