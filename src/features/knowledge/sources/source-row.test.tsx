import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { ServicesProvider } from "../../../services/services-context.tsx";
import type { Services } from "../../../services/services.ts";
import { newSource, type EndedReload, type SourceSummary } from "../../../services/web-sources.ts";
import { SourceRow } from "./source-row.tsx";

const collection: CollectionSummary = {
  id: "c",
  name: "Help",
  description: "",
  embedding: { provider: "openai", model: "text-embedding-3-small", credential: "k" },
  dimension: null,
  chunking: { size: 800, overlap: 100 },
  language: null,
  searchMode: null,
  documents: 0,
  chunks: 0,
  createdAt: "",
  updatedAt: "",
};

const counts = { added: 2, changed: 0, unchanged: 0, failed: 0, gone: 0, removed: 0, tokens: 1_000_000, costUsd: 0 };
const last: EndedReload = { ...counts, cut: false, counted: false, error: null, endedAt: "2026-01-01T12:00:00Z" };

const source: SourceSummary = {
  ...newSource,
  id: "s",
  kind: "sitemap",
  url: "https://a.test/sitemap.xml",
  state: "idle",
  counts: false,
  report: last,
  last,
  dueAt: null,
  documents: 2,
  failures: [],
};

/** The words of a row. */
function wordsOf(changed: Partial<SourceSummary>): string {
  const nothing = () => undefined;
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ServicesProvider services={{} as Services}>
        <SourceRow source={{ ...source, ...changed }} collection={collection} onEdit={nothing} onDelete={nothing} />
      </ServicesProvider>
    </QueryClientProvider>,
  );
  return html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

describe("the row of a source", () => {
  it("says what its last reload did", () => {
    const words = wordsOf({});
    expect(words).toMatch(/a\.test\/sitemap\.xml Sitemap 2 documents Every day .* 2 added/);
    expect(words).toContain("Reload now");
  });

  it("asks before it embeds, with the cost, instead of reloading", () => {
    const words = wordsOf({ state: "asking", last: { ...last, counted: true } });
    expect(words).toContain("2 pages to embed. About 1,000,000 tokens: embedding costs about $0.020.");
    expect(words).toContain("Load and embed");
    expect(words).not.toContain("Reload now");
  });

  it("says why a reload ended, that pages were left out, and which failed", () => {
    const error = { message: "The host answered with status 500.", hint: "Try later." };
    const failures = [{ url: "https://a.test/x", message: "No such page.", hint: "Check the address." }];
    const words = wordsOf({ failures, last: { ...last, error, cut: true, failed: 1 } });
    expect(words).toContain("The host answered with status 500. Try later.");
    expect(words).toContain("There are more than 200 pages.");
    expect(words).toMatch(/Pages that failed \( ?1 page ?\) https:\/\/a\.test\/x No such page\. Check the address\./);
  });
});
