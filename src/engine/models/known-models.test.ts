import { afterEach, describe, expect, it } from "vitest";
import { providers } from "../../providers/index.ts";
import { vendors } from "../vendors/index.ts";
import { compatibleServers } from "../vendors/compatible-servers.ts";
import { costOf } from "../model/prices.ts";
import { findModel, listDate, listPrice, modelList, acceptModels } from "./known-models.ts";

const suggesting = providers.filter(({ id }) => Object.hasOwn(vendors, id) && id !== "openai-compatible");

describe("known models", () => {
  it("are there for every vendor and every hosted compatible server", () => {
    const hosted = Object.entries(compatibleServers).filter(([, { baseUrl }]) => baseUrl?.startsWith("https:"));
    for (const list of [...suggesting.map(({ id }) => id), ...hosted.map(([id]) => id)])
      expect(Object.keys(modelList(list)), list).not.toEqual([]);
  });

  it("have plausible numbers", () => {
    for (const list of [...Object.keys(vendors), ...Object.keys(compatibleServers)]) {
      for (const [name, model] of Object.entries(modelList(list))) {
        const { input = 0, output = 0, cachedInput = input, long } = listPrice(model) ?? {};
        const where = `${list} ${name}`;
        expect(cachedInput, where).toBeLessThanOrEqual(input);
        if (long) expect(long.input, where).toBeGreaterThanOrEqual(input);
        expect(output, where).toBeGreaterThanOrEqual(0);
        expect(model.inputTokens ?? 1, where).toBeGreaterThan(0);
      }
    }
  });

  it("retire with their dated versions, and not with models whose names go on otherwise", () => {
    expect(findModel("openai", "gpt-4o-mini")?.retires).toBe("2027-01-14");
    expect(findModel("openai", "gpt-5-2025-08-07")?.retires).toBe("2026-12-11");
    expect(findModel("openai", "gpt-5.4")?.retires).toBeUndefined();
    expect(findModel("anthropic", "claude-sonnet-4-5-20250929")?.retires).toBe("2026-11-30");
    expect(findModel("anthropic", "claude-sonnet-4-6")?.retires).toBeUndefined();
    expect(findModel("anthropic", "claude-3-7-sonnet-latest")?.retires).toBe("2026-02-19");
    expect(findModel("anthropic", "claude-2.1")?.retires).toBe("2025-07-21");
  });
});

describe("suggested models", () => {
  const suggested = suggesting.flatMap(({ id, suggestedModels }) =>
    suggestedModels.map((name): [string, string] => [id, name]),
  );

  it.each(suggested)("%s %s has a price, limits, and no end in sight", (list, name) => {
    const model = modelList(list)[name];
    expect(model && listPrice(model)).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
    expect(model?.inputTokens).toBeGreaterThan(0);
    expect(model?.outputTokens).toBeGreaterThan(0);
    expect(model?.tools).toBe(true);
    expect(model?.retires).toBeUndefined();
    expect(model?.deprecated).toBeUndefined();
  });

  it.each(suggested)("%s %s is the newest of its family", (list, name) => {
    const { family, released = "" } = modelList(list)[name] ?? {};
    const newer = Object.entries(modelList(list))
      .filter(([, other]) => other.family === family && (other.released ?? "") > released)
      .map(([other]) => other);
    expect(newer).toEqual([]);
  });

  it.each(suggesting.map(({ id, suggestedModels }) => [id, suggestedModels.length]))(
    "are a few of %s",
    (_id, count) => {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(6);
    },
  );
});

describe("what an operator accepted", () => {
  afterEach(() => acceptModels({}, listDate));

  it("S92 is what calls are priced by, until a version that knows more", () => {
    const accepted = {
      openai: { "gpt-4.1": { input: 3, output: 9 }, "gpt-99": { input: 1, output: 2, outputTokens: 5 } },
      nobody: { x: { input: 1, output: 1 } },
    };
    const before = findModel("openai", "gpt-4.1");
    acceptModels(accepted, "2020-01-01");
    expect(findModel("openai", "gpt-4.1")).toEqual(before);
    acceptModels(accepted, listDate);
    expect(findModel("openai", "gpt-4.1")).toEqual({ ...before, input: 3, output: 9, cached: undefined });
    expect(findModel("openai", "gpt-99")).toEqual({ input: 1, output: 2, outputTokens: 5 });
    expect(modelList("nobody")).toEqual({});
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    expect(costOf({ provider: "openai", modelId: "gpt-4.1" }, usage)).toBe(3);
  });
});
