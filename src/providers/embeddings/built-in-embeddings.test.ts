import { expect, test } from "vitest";
import { testHost } from "../../engine/testing/test-host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { builtInEmbeddings } from "./built-in-embeddings.ts";

const signal = new AbortController().signal;

function embed(texts: string[], answer: (body: JsonObject) => unknown) {
  const host = testHost({ functions: { embed: (body) => answer(body) as never } });
  return builtInEmbeddings.embeddings.embed(
    { model: "gte-small", texts, signal },
    { host, credential: "", nodeId: "" },
  );
}

const lengths = (body: JsonObject) => (body["texts"] as string[]).map((text) => [text.length, 1]);

test("vectors come from the project's function, a few texts at a time, in order", async () => {
  const asked: number[] = [];
  const texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"];
  const vectors = await embed(texts, (body) => {
    asked.push(lengths(body).length);
    return { ok: true, body: { vectors: lengths(body) } };
  });
  expect(asked).toEqual([4, 2]);
  expect(vectors.map(([length]) => length)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a project without the model says so, in the function's own words", async () => {
  const error = { code: "invalid_config", message: "This studio has no embedding model of its own.", hint: "Choose." };
  await expect(embed(["a"], () => ({ ok: false, status: 400, error }))).rejects.toMatchObject({ data: error });
});

test("an answer with too few vectors is an error", async () => {
  await expect(embed(["a", "b"], () => ({ ok: true, body: { vectors: [[1, 0]] } }))).rejects.toMatchObject({
    data: { code: "model_error" },
  });
});
