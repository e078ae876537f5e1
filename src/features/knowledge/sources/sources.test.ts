import { describe, expect, it } from "vitest";
import { newSource, type ReloadReport, type SourceSummary } from "../../../services/web-sources.ts";
import { formOf, readSourceForm, type SourceForm } from "./source-form.ts";
import { embeddingQuestion, intervalOptions, intervalText, reportText, progressText } from "./source-text.ts";

const nothing: ReloadReport = {
  added: 0,
  changed: 0,
  unchanged: 0,
  failed: 0,
  gone: 0,
  removed: 0,
  tokens: 0,
  costUsd: 0,
  cut: false,
};

const source: SourceSummary = {
  ...newSource,
  id: "s",
  state: "idle",
  counts: false,
  report: nothing,
  last: null,
  dueAt: null,
  documents: 0,
  failures: [],
};

describe("a source as it is typed", () => {
  const typed = (form: Partial<SourceForm>) => readSourceForm({ ...formOf(newSource), url: "a.test/docs", ...form });

  it("is read with a scheme, patterns by line and numbers with commas", () => {
    const read = typed({ kind: "site", include: " /docs/* \n\n*/x", exclude: "", maxPages: "1,000", depth: "2" });
    expect(read).toEqual({
      ok: true,
      draft: {
        ...newSource,
        kind: "site",
        url: "https://a.test/docs",
        include: ["/docs/*", "*/x"],
        maxPages: 1_000,
        depth: 2,
      },
    });
  });

  it("comes back as it was", () => {
    const draft = { ...newSource, url: "https://a.test/", include: ["/a"], exclude: ["/b", "/c"], everyHours: null };
    expect(readSourceForm(formOf(draft))).toEqual({ ok: true, draft });
  });

  it.each([
    ["url", "", "Enter one web address"],
    ["url", "https://a.test https://b.test", "Enter one web address"],
    ["url", "ftp://a.test/", "Enter one web address"],
    ["url", `https://a.test/${"x".repeat(2_000)}`, "too long"],
    ["depth", "11", "from 0 to 10"],
    ["maxPages", "0", "from 1 to 5,000"],
    ["maxPages", "many", "from 1 to 5,000"],
    ["maxTokens", "10", "from 1,000 to 1,000,000,000"],
    ["include", "docs", "Begin “docs” with / or *."],
    ["exclude", Array.from({ length: 100 }, () => `/${"x".repeat(100)}`).join("\n"), "fewer patterns"],
  ] as const)("says what is wrong with %s", (name, text, problem) => {
    const read = typed({ [name]: text });
    expect(read.ok || read.problems[name]).toContain(problem);
  });
});

describe("what a source says of itself", () => {
  it("is what its last reload did, and cost", () => {
    expect(reportText(nothing)).toBe("Nothing changed");
    expect(reportText({ ...nothing, added: 3, changed: 1, removed: 2, gone: 1, failed: 4, costUsd: 0.25 })).toBe(
      "3 added, 1 changed, 2 removed, 1 not found, 4 failed · $0.250",
    );
    expect(reportText({ ...nothing, unchanged: 5, costUsd: null })).toBe("Nothing changed · cost unknown");
  });

  it("is what a worker does with it", () => {
    const now = Date.parse("2026-01-01T12:00:00Z");
    const report = { ...nothing, added: 1, unchanged: 2 };
    expect(progressText(source, now)).toBeUndefined();
    expect(progressText({ ...source, dueAt: "2026-01-01T13:00:00Z" }, now)).toBeUndefined();
    expect(progressText({ ...source, dueAt: "2026-01-01T12:00:00Z" }, now)).toBe("Waiting for a worker");
    expect(progressText({ ...source, state: "running", report }, now)).toBe("Loading: 3 pages so far");
    expect(progressText({ ...source, state: "running", counts: true, report }, now)).toBe("Counting: 3 pages so far");
    expect(progressText({ ...source, state: "asking" }, now)).toBeUndefined();
  });

  it("is what loading it would cost", () => {
    const last = { ...nothing, added: 2, tokens: 1_000_000, counted: true, error: null, endedAt: "" };
    const small = { provider: "openai", model: "text-embedding-3-small", credential: "c" };
    expect(embeddingQuestion(small, last)).toBe(
      "2 pages to embed. About 1,000,000 tokens: embedding costs about $0.020.",
    );
  });

  it("is how often it is reloaded, also where that is none of the usual choices", () => {
    expect(intervalText(24)).toBe("Every day");
    expect(intervalText(null)).toBe("Reloaded by hand");
    expect(intervalOptions(24).map(({ value }) => value)).toEqual(["1", "6", "24", "168", "720", ""]);
    expect(intervalOptions(5)).toContainEqual({ value: "5", label: "Every 5 hours" });
  });
});
