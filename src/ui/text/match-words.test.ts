import { expect, it } from "vitest";
import { matchWords } from "./match-words.ts";

it("finds every word or nothing, never letters strewn over a text", () => {
  expect(matchWords("calc", "Pause before tool calls", ["tool"])).toBe(0);
  expect(matchWords("blank", "Switch to dark", ["theme"])).toBe(0);
  expect(matchWords("go to http", "HTTP request", ["go to"])).toBeGreaterThan(0);
  expect(matchWords("http fast", "HTTP request", ["go to"])).toBe(0);
  expect(matchWords("  ", "Anything")).toBe(1);
});

it("puts a title that begins with the search first, and what is only said beside it last", () => {
  const texts: [title: string, beside: string[]][] = [
    ["Postgres select", ["for the agent"]],
    ["AI agent", ["answers with a model"]],
    ["Reagent", []],
    ["Agent", ["ai-agent"]],
  ];
  const ranked = texts.toSorted((a, b) => matchWords("agent", ...b) - matchWords("agent", ...a));
  expect(ranked.map(([title]) => title)).toEqual(["Agent", "AI agent", "Reagent", "Postgres select"]);
  expect(matchWords("Zoom to", "Zoom to fit")).toBeGreaterThan(matchWords("to zoom", "Zoom to fit"));
});

it("finds by what else something is called, after its title and before its description", () => {
  const score = (title: string, beside: string[], called: string[]) => matchWords("rag", title, beside, called);
  expect(score("Knowledge base", [], ["rag"])).toBeGreaterThan(score("Documents", ["for rag"], []));
  expect(score("Knowledge base", [], ["rag"])).toBeLessThan(score("RAG", [], []));
  expect(score("Append a paragraph", ["storage"], [])).toBe(0);
});
