import { afterEach, describe, expect, test, vi } from "vitest";
import { openBuiltInModel } from "./built-in-model.ts";
import { embed } from "./embed.ts";

/** Stands in for the runtime's model: the length of the text, in 384 numbers. */
function stubModel(
  run = (text: string): unknown => Array.from({ length: 384 }, (_, n) => (n === 0 ? text.length : 0)),
) {
  const asked: unknown[] = [];
  class Session {
    readonly model: string;
    constructor(model: string) {
      this.model = model;
    }
    async run(text: string, options: object): Promise<unknown> {
      asked.push([this.model, text, options]);
      return run(text);
    }
  }
  vi.stubGlobal("Supabase", { ai: { Session } });
  return asked;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** As a process that has just started. */
async function ask(body: unknown) {
  const { openBuiltInModel: open } = await import("./built-in-model.ts");
  return embed(body, open);
}

describe("the built-in embedding model", () => {
  test("is not there where the runtime has none, and then nothing is embedded", async () => {
    expect(openBuiltInModel()).toBeNull();
    expect(await ask({ action: "check" })).toEqual({ ok: true, value: { model: null } });
    expect(await ask({ action: "embed", texts: ["a"] })).toMatchObject({
      ok: false,
      error: { code: "invalid_config", retryable: false },
    });
  });

  test("says that it is there once it has embedded a word", async () => {
    const asked = stubModel();
    expect(await ask({ action: "check" })).toEqual({ ok: true, value: { model: "gte-small" } });
    expect(asked).toEqual([["gte-small", "words", { mean_pool: true, normalize: true }]]);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("no such model"))],
    ["gives something else", () => [1, 2, 3]],
  ])("is taken for missing where it %s", async (_case, run) => {
    stubModel(run);
    expect(await ask({ action: "check" })).toEqual({ ok: true, value: { model: null } });
    expect(await ask({ action: "embed", texts: ["a"] })).toMatchObject({ ok: false, error: { code: "internal" } });
  });

  test("is taken for missing where the runtime cannot open it", async () => {
    function Session(): never {
      throw new Error("no such model");
    }
    vi.stubGlobal("Supabase", { ai: { Session } });
    expect(await ask({ action: "check" })).toEqual({ ok: true, value: { model: null } });
    expect(await ask({ action: "embed", texts: ["a"] })).toMatchObject({
      ok: false,
      error: { code: "invalid_config" },
    });
  });

  test("gives one vector of 384 numbers for each text, in order", async () => {
    stubModel();
    const answer = await ask({ action: "embed", texts: ["one", "three"] });
    const vectors = answer.ok && "vectors" in answer.value ? answer.value.vectors : [];
    expect(vectors.map((vector) => [vector.length, vector[0]])).toEqual([
      [384, 3],
      [384, 5],
    ]);
  });

  test.each([
    ["nothing", { action: "embed", texts: [] }],
    ["an empty text", { action: "embed", texts: [""] }],
    ["more texts than a request has time for", { action: "embed", texts: ["a", "b", "c", "d", "e"] }],
    ["a text without end", { action: "embed", texts: ["x".repeat(20_001)] }],
    ["another action", { action: "train" }],
  ])("refuses %s", async (_case, body) => {
    stubModel();
    expect(await ask(body)).toMatchObject({ ok: false, error: { code: "invalid_config" } });
  });
});
