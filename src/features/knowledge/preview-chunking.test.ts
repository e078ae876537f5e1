import { describe, expect, it } from "vitest";
import { cutDocument, embeddedText } from "../../engine/knowledge/cut-document.ts";
import type { DocumentSection } from "../../engine/knowledge/source-document.ts";
import { estimateTokens } from "../../engine/model/estimate-tokens.ts";
import { chunkHash } from "../../nodes/knowledge/chunk-hash.ts";
import { previewChunking } from "./preview-chunking.ts";

const sentences = (count: number) => Array.from({ length: count }, (_, index) => `This is sentence number ${index}.`);
const long: DocumentSection = { headings: ["Long"], text: sentences(40).join(" ") };
const short: DocumentSection = { headings: ["Short"], text: "A short one." };
const wide = { size: 400, overlap: 0 };
const narrow = { size: 60, overlap: 0 };

/** Documents that were split with `wide`; `embedded` says whether their chunks have vectors. */
function stored(documents: Record<string, DocumentSection[]>, embedded = true) {
  return {
    sections: async (id: string) => documents[id] ?? [],
    storedChunks: async (id: string) =>
      [...cutDocument(documents[id] ?? [], wide)].map((chunk) => ({
        id: `${id} ${chunk.position}`,
        hash: chunkHash(chunk),
        position: chunk.position,
        metadata: {},
        embedded,
      })),
  };
}

const options = (embeds = true) => ({ embeds, signal: new AbortController().signal, onProgress: () => undefined });
const named = (...names: string[]) => names.map((name) => ({ id: name, name: `${name}.md` }));

describe("a preview of other chunks", () => {
  it("says what stays, what is new and what that costs in tokens", async () => {
    const progress: number[] = [];
    const preview = await previewChunking(stored({ a: [long, short], b: [short] }), named("a", "b"), narrow, {
      ...options(),
      onProgress: (count) => progress.push(count),
    });
    const cut = [...cutDocument([long], narrow)];
    const tokens = cut.reduce((sum, chunk) => sum + estimateTokens(embeddedText(chunk)), 0);
    expect(cut.length).toBeGreaterThan(3);
    expect(preview).toMatchObject({
      documents: 2,
      chunks: cut.length + 2,
      kept: 2,
      added: cut.length,
      removed: 1,
      tokens,
      smallest: estimateTokens(short.text),
    });
    expect(preview.largest).toBeLessThanOrEqual(narrow.size);
    expect(preview.examples[0]).toMatchObject({ document: "a.md", heading: "Long" });
    expect(progress).toEqual([1, 2]);
  });

  it("counts the sections that an agent gets in the place of small chunks, and embeds only the chunks", async () => {
    const sections = [long, short, { ...short, headings: ["Short", "Shorter"] }];
    const parents = { size: 200, overlap: 0, split: { by: "parents" as const, depth: 1, child: 60 } };
    const preview = await previewChunking(stored({ a: sections }), named("a"), parents, options());
    const chunks = [...cutDocument(sections, parents)];
    expect(preview).toMatchObject({ chunks: chunks.length, kept: 2, sections: 3, removed: 1 });
    const added = chunks.filter(({ heading }) => heading === "Long");
    expect(preview.tokens).toBe(added.reduce((sum, chunk) => sum + estimateTokens(embeddedText(chunk)), 0));
    expect((await previewChunking(stored({ a: sections }), named("a"), wide, options())).sections).toBeNull();
  });

  it("costs nothing where nothing changes, and counts what has no vector yet", async () => {
    const documents = { a: [long, short] };
    expect(await previewChunking(stored(documents), named("a"), wide, options())).toMatchObject({
      added: 0,
      tokens: 0,
    });
    const missing = await previewChunking(stored(documents, false), named("a"), wide, options());
    expect([missing.added, missing.tokens > 0]).toEqual([0, true]);
    expect(await previewChunking(stored(documents, false), named("a"), wide, options(false))).toMatchObject({
      tokens: 0,
    });
  });

  it("is empty without documents, and stops when it is told to", async () => {
    expect(await previewChunking(stored({}), [], wide, options())).toMatchObject({
      chunks: 0,
      smallest: 0,
      largest: 0,
    });
    const controller = new AbortController();
    controller.abort(new Error("Stopped."));
    const stopped = previewChunking(stored({ a: [long] }), named("a"), wide, {
      ...options(),
      signal: controller.signal,
    });
    await expect(stopped).rejects.toThrow("Stopped.");
  });
});
