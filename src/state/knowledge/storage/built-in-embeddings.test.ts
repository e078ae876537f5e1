import { expect, it } from "vitest";
import type { FunctionResult } from "../../../engine/host.ts";
import { hasBuiltInEmbeddings } from "./built-in-embeddings.ts";

const missing: FunctionResult = {
  ok: false,
  status: 404,
  error: { code: "internal", message: "Not found.", hint: "Deploy it.", retryable: false },
};

it.each<[string, FunctionResult, boolean]>([
  ["names a model", { ok: true, body: { model: "gte-small" } }, true],
  ["has none", { ok: true, body: { model: null } }, false],
  ["is not deployed", missing, false],
])("a project embeds by itself only where its function %s", async (_case, answer, expected) => {
  const asked: unknown[] = [];
  const found = await hasBuiltInEmbeddings((...call) => {
    asked.push(call.slice(0, 2));
    return Promise.resolve(answer);
  });
  expect(found).toBe(expected);
  expect(asked).toEqual([["embed", { action: "check" }]]);
});
