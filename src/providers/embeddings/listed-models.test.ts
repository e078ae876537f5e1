import { expect, test } from "vitest";
import { listedEmbeddingModels } from "./listed-models.ts";

const suggested = ["nomic-embed-text", "bge-m3"];
const listed = (...ids: string[]) =>
  listedEmbeddingModels(
    suggested,
    ids.map((id) => ({ id })),
  );

test("of what a server lists, the models that embed are offered, the suggested ones first", () => {
  expect(listed("llama3.2", "all-minilm:22m", "bge-m3", "nomic-embed-text:latest")).toEqual([
    "nomic-embed-text:latest",
    "bge-m3",
    "all-minilm:22m",
  ]);
  expect(listed("intfloat/e5-mistral-7b-instruct", "text-embedding-3-small")).toHaveLength(2);
});

test("a server without one offers none: neither chat models, nor those that rank, nor retired ones", () => {
  expect(listed("gpt-4o-mini", "bge-reranker-v2", "gemma-e2b")).toEqual([]);
  expect(listedEmbeddingModels(suggested, [{ id: "bge-m3", retired: true }])).toEqual([]);
});
