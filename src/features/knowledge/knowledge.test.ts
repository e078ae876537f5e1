import { describe, expect, it } from "vitest";
import { defaultChunking } from "../../engine/knowledge/chunking.ts";
import { newJob, type IngestJob, type IngestStatus } from "../../state/knowledge/ingest/ingest-job.ts";
import type { CredentialRepository, CredentialSummary } from "../../services/services.ts";
import { draftOfChunking, isSameChunking, readChunking } from "./chunking-draft.ts";
import { chunkPlace } from "./chunk-place.ts";
import { exportFileName } from "./collection-actions.ts";
import { costsNothing, costText, rateText, tokensOfFile } from "./embedding-cost.ts";
import {
  embeddingChange,
  embeddingProblem,
  embeddingText,
  firstEmbedding,
  modelProblem,
  usualEmbedding,
  workingCredentials,
} from "./embedding-choices.ts";
import { endedWords, jobShare, jobText, sharedFailures, totalShare } from "./ingest-text.ts";
import { titleOf } from "./paste-dialog.tsx";
import { readUrls } from "./url-dialog.tsx";

const small = { provider: "openai", model: "text-embedding-3-small", credential: "c1" };
const demo = { provider: "demo", model: "words-256", credential: "" };

function credential(id: string, type: string): CredentialSummary {
  return { id, name: id, type, lastFour: "", allowedHosts: [], settings: {}, updatedAt: "" };
}

describe("a collection's embeddings", () => {
  const never = () => Promise.reject(new Error("nobody is asked"));

  it("are keyword only until a credential exists, then the usual model of its provider", async () => {
    expect(await firstEmbedding([], never)).toBeNull();
    expect(await firstEmbedding([credential("x", "http-bearer")], never)).toBeNull();
    expect(await firstEmbedding([credential("c1", "openai")], never)).toEqual(small);
    expect(await firstEmbedding([credential("g", "gemini")], never)).toMatchObject({
      provider: "gemini",
      credential: "g",
    });
  });

  it("begin with a model that the server lists, where only the server knows which ones it has", async () => {
    const own = [credential("own", "openai-compatible")];
    const listing = (...models: string[]) => firstEmbedding(own, () => Promise.resolve(models));
    expect(await listing("bge-m3:567m", "all-minilm")).toMatchObject({ model: "bge-m3:567m", credential: "own" });
    expect(await listing()).toBeNull();
    expect(await firstEmbedding(own, never)).toBeNull();
    expect(usualEmbedding("openai-compatible", own)).toMatchObject({ model: "", credential: "own" });
  });

  it("are made by a server of this computer where a credential leads to one, before anything that costs", async () => {
    const ollama = { ...credential("own", "openai-compatible"), allowedHosts: ["127.0.0.1:11434"] };
    const paid = { ...credential("far", "openai-compatible"), allowedHosts: ["openrouter.ai"] };
    const listing = () => Promise.resolve(["nomic-embed-text"]);
    const local = { provider: "local", model: "nomic-embed-text", credential: "own" };
    expect(await firstEmbedding([credential("c1", "openai"), ollama], listing)).toEqual(local);
    expect(await firstEmbedding([paid], listing)).toMatchObject({ provider: "openai-compatible" });
    expect(usualEmbedding("local", [paid])).toMatchObject({ credential: "" });
    expect(usualEmbedding("local", [{ ...ollama, allowedHosts: ["localhost:1234"] }])).toMatchObject({
      credential: "own",
    });
    expect(costText(local, 10)).toContain("at no cost");
  });

  it("begin with a credential that works, not with one that is only stored", async () => {
    const stored = [credential("c1", "openai"), credential("g", "gemini")];
    const credentials = (test: CredentialRepository["test"]) => ({
      page: ({ types }: { types?: readonly string[] }) => {
        const rows = stored.filter(({ type }) => types?.includes(type));
        return Promise.resolve({ rows, next: null, total: rows.length });
      },
      test,
    });
    const start = async (test: CredentialRepository["test"]) =>
      (await firstEmbedding(await workingCredentials(credentials(test)), never))?.credential ?? null;
    const answer = (ok: boolean) => Promise.resolve({ ok, message: "" });
    expect(await start(() => answer(true))).toBe("c1");
    expect(await start((id) => answer(id === "g"))).toBe("g");
    expect(await start(() => answer(false))).toBeNull();
    expect(await start(() => Promise.reject(new Error("offline")))).toBeNull();
  });

  it("are named in a few words", () => {
    expect(embeddingText(null)).toBe("Keyword only");
    expect(embeddingText(small)).toMatch(/OpenAI.* · text-embedding-3-small/);
    expect(embeddingText({ ...small, provider: "gone" })).toBe("gone · text-embedding-3-small");
  });

  it("say what is missing", () => {
    expect(embeddingProblem(null)).toBeUndefined();
    expect(embeddingProblem(demo)).toBeUndefined();
    expect(embeddingProblem(small)).toBeUndefined();
    expect(embeddingProblem({ ...small, credential: "" })).toMatch(/Choose a credential/);
    expect(embeddingProblem({ provider: "local", model: "bge-m3", credential: "" })).toMatch(
      /Find Ollama or LM Studio/,
    );
    expect(embeddingProblem({ ...small, model: " " })).toMatch(/Name the embedding model/);
    expect(embeddingProblem({ ...small, provider: "gone" })).toMatch(/does not know/);
  });

  it("know what a change means for the vectors", () => {
    expect(embeddingChange(null, null)).toBe("none");
    expect(embeddingChange(small, small)).toBe("none");
    expect(embeddingChange(small, { ...small, credential: "c2" })).toBe("credential");
    expect(embeddingChange(small, { ...small, model: "text-embedding-3-large" })).toBe("vectors");
    expect(embeddingChange(null, demo)).toBe("vectors");
    expect(embeddingChange(small, null)).toBe("removal");
  });
});

describe("what embedding costs, said before it is done", () => {
  it("is counted from the list price", () => {
    expect(costText(small, 1_000_000)).toBe("About 1,000,000 tokens: embedding costs about $0.020.");
  });

  it("is nothing without a vendor, and unknown where no price is listed", () => {
    expect(costText(null, 10)).toContain("nothing is sent");
    expect(costText(demo, 10)).toContain("at no cost");
    expect(costText({ ...small, model: "house-model" }, 10)).toContain("price is not known");
    expect([costsNothing(null), costsNothing(demo), costsNothing(small)]).toEqual([true, true, false]);
  });

  it("is nothing on this computer and in one's own project, and chunks have to fit", () => {
    const local = { provider: "local", model: "all-minilm", credential: "c" };
    const project = { provider: "supabase", model: "gte-small", credential: "" };
    expect([local, project].map(costsNothing)).toEqual([true, true]);
    expect(modelProblem(project, { size: 800, overlap: 0 })).toContain("takes at most 512 tokens");
    expect(modelProblem(project, { size: 500, overlap: 0 })).toBeUndefined();
    expect(modelProblem(local, { size: 500, overlap: 0 })).toContain("takes at most 256 tokens");
  });

  it("is a rate where the length is not known yet", () => {
    expect([rateText(null), rateText(demo)]).toEqual([undefined, undefined]);
    expect(rateText(small)).toContain("$0.020 per million tokens");
    expect(rateText({ ...small, model: "house-model" })).toContain("price is not known");
  });

  it("takes a PDF for text by a fifth", () => {
    expect(tokensOfFile({ name: "a.md", size: 4_000 })).toBe(1_000);
    expect(tokensOfFile({ name: "a.PDF", size: 4_000 })).toBe(200);
  });
});

describe("a job in words", () => {
  const job = (change: Partial<IngestJob>): IngestJob => ({
    ...newJob({ id: "j", collectionId: "c", name: "a.md", origin: "file", documentId: null }),
    ...change,
  });

  it("says what it does and how far it is", () => {
    expect(jobText(job({ status: "queued" }))).toBe("Waiting for the others");
    expect(jobText(job({ status: "embedding", progress: { done: 3, total: 1_200 } }))).toBe(
      "Embedding · 3 of 1,200 chunks",
    );
    expect(jobText(job({ status: "cancelled" }))).toContain("what was stored is kept");
    const waiting = { seconds: 4, reason: "The provider asks to slow down." };
    expect(jobText(job({ status: "embedding", waiting }))).toContain("Retrying in 4 s");
  });

  it("says what became of it", () => {
    const done = (outcome: IngestJob["outcome"], costUsd: number | null = 0) =>
      jobText(job({ status: "done", outcome, costUsd }));
    expect(done({ type: "added" })).toBe("Added");
    expect(done({ type: "added" }, 0.002)).toBe("Added · $0.0020");
    expect(done({ type: "updated", kept: 1, added: 2, removed: 3 })).toBe("Updated: 1 chunk kept, 2 new, 3 removed");
    expect(done({ type: "unchanged" })).toContain("nothing was added");
    expect(done({ type: "duplicate", of: "b.md" })).toContain("Same content as “b.md”");
    const failed = job({ status: "failed", error: { message: "No text in it.", hint: "Scan it." } });
    expect(jobText(failed)).toBe("No text in it.");
  });

  it("say what became of them all once the last has ended", () => {
    const words = (...states: IngestStatus[]) => endedWords(states.map((status) => ({ status })));
    expect(words("done", "done")).toBe("Added");
    expect(words("done", "failed", "done")).toBe("2 of 3 added, 1 failed");
    expect(words("failed", "failed")).toBe("2 failed");
    expect(words("done", "cancelled")).toBe("1 of 2 added, 1 stopped");
  });

  it("knows its share once its chunks are counted", () => {
    expect(jobShare(job({ status: "reading" }))).toBeNull();
    expect(jobShare(job({ status: "saving", progress: { done: 1, total: 4 } }))).toBe(0.25);
    expect(jobShare(job({ status: "done" }))).toBe(1);
    const half = job({ status: "saving", progress: { done: 2, total: 4 } });
    expect(totalShare([job({ status: "queued" }), half, job({ status: "failed" }), job({ status: "done" })])).toBe(
      0.625,
    );
  });
});

describe("what people type", () => {
  it("addresses: one per line, https where no scheme stands, each once", () => {
    expect(readUrls("example.com/help\nhttps://example.com/help  http://a.test:8080/x\nlocalhost:3000/doc")).toEqual({
      urls: ["https://example.com/help", "http://a.test:8080/x", "https://localhost:3000/doc"],
      wrong: [],
    });
    expect(readUrls("see example").wrong).toEqual(["see", "example"]);
    expect(readUrls("javascript:alert(1) ftp://a.test file:///etc/passwd").wrong).toHaveLength(3);
  });

  const typed = draftOfChunking(defaultChunking);

  it("chunk size and overlap within their bounds", () => {
    expect(readChunking(typed, null)).toEqual({ ok: true, chunking: { size: 800, overlap: 100 } });
    const problems = (size: string, overlap: string) => {
      const read = readChunking({ ...typed, size, overlap }, null);
      return read.ok ? {} : read.problems;
    };
    expect(problems("10", "0").size).toMatch(/from 50 to 4000/);
    expect(problems("many", "-1")).toMatchObject({ size: expect.any(String), overlap: expect.any(String) });
    expect(problems("100", "100").overlap).toMatch(/smaller than a chunk/);
  });

  it("headings and parents with what belongs to them alone", () => {
    expect(readChunking({ ...typed, way: "headings", depth: 3, child: "many" }, null)).toEqual({
      ok: true,
      chunking: { size: 800, overlap: 100, split: { by: "headings", depth: 3 } },
    });
    expect(readChunking({ ...typed, way: "parents", overlap: "many" }, null)).toEqual({
      ok: true,
      chunking: { size: 800, overlap: 0, split: { by: "parents", depth: 2, child: 200 } },
    });
    const problemOf = (child: string) => {
      const read = readChunking({ ...typed, way: "parents", child }, null);
      return read.ok ? undefined : read.problems.child;
    };
    expect(problemOf("800")).toBe("A chunk must be smaller than its section.");
    expect(problemOf("20")).toMatch(/from 50 to 2000/);
  });

  it.each([
    defaultChunking,
    { size: 500, overlap: 20, split: { by: "headings", depth: 4 } },
    { size: 1_200, overlap: 0, split: { by: "parents", depth: 1, child: 150 } },
  ] as const)("a chunking is the same when it is typed again: %j", (chunking) => {
    expect(readChunking(draftOfChunking(chunking), null)).toEqual({ ok: true, chunking });
    expect(isSameChunking(chunking, { ...chunking })).toBe(true);
    expect(isSameChunking(chunking, { ...chunking, size: 90 })).toBe(false);
    expect(isSameChunking(chunking, { ...chunking, split: { by: "headings", depth: 6 } })).toBe(false);
  });

  it("no chunk that the embedding model would not take", () => {
    const local = { provider: "openai-compatible", model: "mxbai-embed-large", credential: "c" };
    const tooLarge = "mxbai-embed-large takes at most 512 tokens at once. Enter 512 or less.";
    const read = (change: Partial<typeof typed>, embedding = local) => readChunking({ ...typed, ...change }, embedding);
    expect(read({})).toEqual({ ok: false, problems: { size: tooLarge } });
    expect(read({ size: "512" }).ok).toBe(true);
    expect(read({ size: "4000" }, { ...local, model: "of-tomorrow" }).ok).toBe(true);
    expect(read({ way: "parents", child: "512" }).ok).toBe(true);
    expect(read({ way: "parents", child: "513" })).toEqual({ ok: false, problems: { child: tooLarge } });
    expect(modelProblem(local, { size: 800, overlap: 100 })).toMatch(/at most 512 tokens.*a chunk may have 800/);
    expect(modelProblem(local, { size: 512, overlap: 100 })).toBeUndefined();
    expect(modelProblem(null, { size: 4_000, overlap: 100 })).toBeUndefined();
    const parents = { size: 800, overlap: 0, split: { by: "parents" as const, depth: 2, child: 200 } };
    expect(modelProblem(local, parents)).toBeUndefined();
  });

  it("a pasted text is named after its first line", () => {
    expect(titleOf("\n## Opening hours \nfrom nine")).toBe("Opening hours");
    expect(titleOf("  \n")).toBe("");
  });
});

it("a chunk's place names heading, page and number", () => {
  expect(chunkPlace({ heading: "A › B", position: 4, page: 3 })).toBe("A › B · page 3 · chunk 5");
  expect(chunkPlace({ heading: "", position: 0, row: 7 })).toBe("row 7 · chunk 1");
});

it("an export is named after its collection", () => {
  expect(exportFileName("Lamp shop: Handbook!")).toBe("lamp-shop-handbook.knowledge.json");
  expect(exportFileName("…")).toBe("collection.knowledge.json");
});

it("what several documents failed of is said once", () => {
  const failed = (id: string, message: string): IngestJob => ({
    ...newJob({ id, collectionId: "c", name: id, origin: "file", documentId: null }),
    status: "failed",
    error: { message, hint: "Do this." },
  });
  const jobs = [failed("a", "No key."), failed("b", "Not a PDF."), failed("c", "No key.")];
  expect(sharedFailures(jobs)).toEqual([{ message: "No key.", hint: "Do this.", count: 2 }]);
});
