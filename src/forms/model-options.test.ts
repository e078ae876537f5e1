import { describe, expect, it } from "vitest";
import { modelOptions, modelWarning, preferredModel } from "./model-options.ts";

const provider = { suggestedModels: ["b", "d"] };
const live = [
  { id: "a", retired: true },
  { id: "b", title: "Model B" },
  { id: "c", title: "c" },
];

describe("what the model field offers", () => {
  it("is the vendor's list, suggestions first, retired ones marked and last", () => {
    expect(modelOptions(provider, live)).toEqual([
      { value: "b", detail: "Model B" },
      { value: "c", detail: undefined },
      { value: "a", detail: "retired or retiring" },
    ]);
  });

  it("is the suggestions without a list", () => {
    expect(modelOptions(provider, undefined)).toEqual([{ value: "b" }, { value: "d" }]);
  });
});

describe("the model to begin with", () => {
  it("is a suggested one that the server has, or else its first that talks, and never one that it does not have", () => {
    expect(preferredModel(["d", "b"], live)).toBe("b");
    expect(preferredModel(["d"], live)).toBe("b");
    expect(preferredModel([], [{ id: "nomic-embed-text" }, { id: "qwen3" }])).toBe("qwen3");
    expect(preferredModel(["llama3.2"], [])).toBe("");
  });
});

describe("what is said of the chosen model", () => {
  it("names a retired one and one that is not listed, and nothing else", () => {
    expect(modelWarning("a", live, "none")).toMatch(/retired/);
    expect(modelWarning("my-own", live, "none")).toMatch(/Not in the provider's list/);
    expect(modelWarning("b", live, "none")).toBeUndefined();
    for (const list of [undefined, []]) expect(modelWarning("my-own", list, "none")).toBeUndefined();
  });

  it("tells the day on which a known one is retired", () => {
    expect(modelWarning("gpt-4-turbo", undefined, "openai")).toBe(
      "gpt-4-turbo was retired on October 23, 2026. Choose a newer model.",
    );
    expect(modelWarning("gpt-4-turbo", undefined, "openrouter")).toBeUndefined();
    expect(modelWarning("gemini-3.1-flash-lite-preview", undefined, "gemini")).toMatch(/deprecated/);
  });
});
