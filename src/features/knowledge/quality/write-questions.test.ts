import { afterEach, beforeEach, expect, it } from "vitest";
import { sayReply } from "../../../../e2e/servers/openai-reply.ts";
import { type OpenaiServer, startOpenaiServer } from "../../../../e2e/servers/openai-server.ts";
import { realSleep } from "../../../engine/testing/real-sleep.ts";
import { testHost } from "../../../engine/testing/test-host.ts";
import type { CollectionSummary, DocumentSummary } from "../../../services/knowledge.ts";
import type { Services } from "../../../services/services.ts";
import { writingCost, writeQuestions, type Written } from "./write-questions.ts";

const content = "A lamp can be returned within 30 days.";
let server: OpenaiServer;
beforeEach(async () => {
  server = await startOpenaiServer();
});
afterEach(() => server.close());

/** Writes questions about so many chunks; the model says these things in turn. */
function write(chunks: number, count: number, replies: (object | string)[], signal = new AbortController().signal) {
  server.enqueue(...replies.map((reply) => sayReply(typeof reply === "string" ? reply : JSON.stringify(reply))));
  const knowledge = {
    documents: () => Promise.resolve([{ id: "d", name: "shop.md", chunks } as DocumentSummary]),
    chunks: () => Promise.resolve([{ heading: "", content }]),
  } as unknown as Services["knowledge"];
  const host = testHost({
    fetch: (_connection, input, init) => {
      const { pathname } = new URL(new Request(input).url);
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${server.key}`);
      return globalThis.fetch(`${server.url}/v1${pathname.replace(/^\/v1/, "")}`, { ...init, headers });
    },
  });
  const all: Written[] = [];
  const written = writeQuestions(
    { knowledge, createHost: () => ({ ...host, sleep: realSleep }) },
    {
      collection: { id: "c" } as CollectionSummary,
      model: { provider: "openai-compatible", model: "m", credential: "k", inputPrice: 1, outputPrice: 1 },
      count,
      taken: [],
      signal,
      onWritten: (now) => all.push(now),
    },
  );
  return { written, all };
}

const reply = (question: string, quote = content) => ({ usable: true, question, quote });

it("keeps questions whose quotes stand in the document, and counts the others", async () => {
  const { written, all } = write(6, 2, [reply("When?"), reply("Who?", "Nobody wrote that."), reply("What?")]);
  await written;
  expect(all.at(-1)).toEqual({
    questions: [
      { question: "When?", passages: [{ document: "shop.md", quote: content }] },
      { question: "What?", passages: [{ document: "shop.md", quote: content }] },
    ],
    misquoted: 1,
    costUsd: expect.any(Number),
  });
  expect(all.at(-1)?.costUsd).toBeGreaterThan(0);
});

it("says so where nothing can be used", async () => {
  await expect(write(0, 1, []).written).rejects.toThrow("no documents that were read");
  await expect(write(1, 1, [reply("When?", "Nobody wrote that.")]).written).rejects.toThrow("quoted nothing");
  await expect(write(1, 1, [{ usable: false, question: "", quote: "" }]).written).rejects.toThrow("no questions");
  await expect(write(1, 1, ["Hello."]).written).rejects.toThrow("did not reply with the JSON");
});

it("asks nothing once it is stopped", async () => {
  const { written, all } = write(2, 1, [], AbortSignal.abort(new Error("Stopped.")));
  await expect(written).rejects.toThrow("Stopped.");
  expect(all).toEqual([]);
  expect(server.requests).toEqual([]);
});

it("says before what it costs", () => {
  const documents = [{ chunks: 10, tokens: 1_000 }];
  const priced = { provider: "own", model: "m", credential: "", inputPrice: 1, outputPrice: 10 };
  const cost = writingCost(priced, documents, 4);
  expect(cost?.most).toBeCloseTo(2 * (cost?.least ?? 0), 12);
  expect(writingCost(priced, documents, 50)).toMatchObject({ least: expect.any(Number) });
  expect(writingCost({ provider: "own", model: "m", credential: "" }, documents, 4)).toBeNull();
});
