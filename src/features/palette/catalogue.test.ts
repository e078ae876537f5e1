import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { icons } from "../../ui/icons/icons.ts";
import { catalogue } from "./catalogue.ts";

const lines = (search = "") => catalogue(nodeRegistry, search).flatMap(({ entries }) => entries);
const types = (search = "") =>
  lines(search)
    .flatMap((line) => ("family" in line ? line.kinds : [line.definition]))
    .map(({ type }) => type);

describe("the catalogue", () => {
  it("lists every node type once, but for those that only imports and the studio make", () => {
    const offered = Object.values(nodeRegistry).filter(({ hidden }) => hidden !== true);
    expect(types().toSorted()).toEqual(offered.map(({ type }) => type).toSorted());
    expect(types("placeholder")).toEqual([]);
    expect(types("studio tools")).toEqual([]);
  });

  it("offers the memories, and the Postgres tools, as one line that opens to its kinds", () => {
    const folds = lines().flatMap((line) => ("family" in line ? [[line.family.title, line.kinds.length]] : []));
    expect(folds).toEqual([
      ["Memory", 5],
      ["Postgres", 5],
    ]);
  });

  it("finds by title, type and category, every word", () => {
    expect(types("calc")[0]).toBe("calculator-tool");
    expect(types("memory window")[0]).toBe("window-memory");
    expect(types("no such thing")).toEqual([]);
  });

  it.each([
    ["if", "if"],
    ["loop", "for-each"],
    ["while", "repeat"],
    ["rag", "knowledge-base-tool"],
    ["vector store", "knowledge-base-tool"],
    ["router", "switch"],
    ["database", "postgres-select-tool"],
    ["sql", "postgres-select-tool"],
    ["api", "http-request-tool"],
    ["javascript", "code-tool"],
    ["cron", "schedule-trigger"],
    ["delay", "wait"],
    ["human in the loop", "approval"],
    ["ollama", "openai-compatible-model"],
    ["chatgpt", "openai-model"],
    ["subflow", "workflow-tool"],
    ["edit fields", "set-fields"],
    ["comment", "sticky-note"],
    ["website", "http-request-tool"],
    ["every day", "schedule-trigger"],
    ["python", "code-tool"],
    ["excel", "code"],
    ["translate", "ai-agent"],
    ["summarize", "ai-agent"],
    ["date", "schedule-trigger"],
    ["scrape", "http-request"],
    ["faq", "knowledge-base-tool"],
    ["json", "code"],
    ["list", "for-each"],
    ["parallel", "merge"],
    ["try catch", "stop"],
    ["error", "stop"],
    ["ask me", "approval"],
    ["gpt-4", "openai-model"],
    ["classify", "ai-agent"],
    ["sub workflow", "workflow-tool"],
    ["privacy", "guardrails"],
    ["mysql", "postgres-select-tool"],
  ])("finds %s as people call it", (search, type) => {
    expect(types(search).slice(0, 2)).toContain(type);
  });

  it("takes a word for the beginning of a word before anything else", () => {
    expect(types("date")).not.toContain("postgres-update-tool");
    expect(types("text")[0]).not.toBe("sticky-note");
  });

  it("describes each type in two lines of the palette", () => {
    const long = Object.values(nodeRegistry).filter(({ hidden, summary }) => hidden !== true && summary.length > 58);
    expect(long.map(({ type }) => type)).toEqual([]);
  });

  it("knows other names of every type", () => {
    const offered = Object.values(nodeRegistry).filter(({ hidden }) => hidden !== true);
    expect(offered.filter(({ keywords = [] }) => keywords.length === 0)).toEqual([]);
  });

  it("has an icon for every type that is there with the first cards", () => {
    const names = Object.values(nodeRegistry).map(({ icon }) => icon);
    expect(names.filter((name) => !Object.hasOwn(icons, name))).toEqual([]);
  });
});
