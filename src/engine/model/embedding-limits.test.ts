import { expect, it } from "vitest";
import { inputLimitOf } from "./embedding-limits.ts";

it.each([
  ["openai", "text-embedding-3-small", 8_191],
  ["gemini", "gemini-embedding-001", 2_048],
  ["openai-compatible", "mxbai-embed-large:latest", 512],
  ["openai-compatible", "BAAI/bge-m3", 8_192],
  ["openai-compatible", "BAAI/bge-small-en-v1.5", 512],
  ["openai-compatible", "snowflake-arctic-embed2", 8_192],
  ["openai-compatible", "my-own-model", null],
  ["demo", "words-256", null],
  ["constructor", "x", null],
])("knows how much a model takes per text: %s %s", (provider, model, tokens) => {
  expect(inputLimitOf({ provider, model })).toBe(tokens);
});
