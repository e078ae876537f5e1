import { expect, it } from "vitest";
import { rerankProblems, rerankSettings, typedNoRerank } from "./rerank-choice.tsx";

const typed = { rerank: "cohere" as const, rerankCredential: "k", rerankModel: " rerank-v3.5 ", price: "" };

it("says what is missing, once reranking is on", () => {
  expect(rerankProblems(typedNoRerank)).toEqual({});
  expect(rerankProblems(typed)).toEqual({});
  expect(rerankProblems({ ...typed, rerankCredential: "", rerankModel: " ", price: "much" })).toEqual({
    credential: "Choose a credential.",
    model: "Enter the name of the model.",
    price: "Enter a number, or nothing.",
  });
  expect(rerankProblems({ ...typed, rerank: "tei", rerankModel: "" })).toEqual({});
});

it("gives the settings of a step", () => {
  expect(rerankSettings({ ...typed, price: "2" })).toEqual({
    rerank: "cohere",
    rerankCredential: "k",
    rerankModel: "rerank-v3.5",
    rerankFrom: 30,
    rerankPrice: 2,
  });
  expect(rerankSettings(typed).rerankPrice).toBeNull();
});
