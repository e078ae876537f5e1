import { expect, it } from "vitest";
import type { JsonObject } from "../../../engine/json.ts";
import type { RunEvent } from "../../../engine/run/events.ts";
import type { Services } from "../../../services/services.ts";
import { recentSearches, searchesOf } from "./run-searches.ts";

function start(callId: string, query: string): RunEvent {
  const input: JsonObject = { query };
  return { type: "tool-call-start", callId, toolName: "knowledge_base_search", input } as RunEvent;
}

const end = (callId: string, output: JsonObject, ok = true) =>
  ({ type: "tool-call-end", callId, ok, output }) as RunEvent;

const outputOf = (collection: string, ...contents: string[]): JsonObject => ({
  collection,
  mode: "keyword",
  results: contents.map((content) => ({ metadata: { document: "shop.md" }, score: 0.9, content })),
});

it("finds what an agent looked for in a collection, and what it got", () => {
  const events = [
    start("1", " returns "),
    start("2", "parcels"),
    end("2", outputOf("Other", "Parcels take two days.")),
    end("1", outputOf("Handbook", "Within 30 days.")),
  ];
  expect(searchesOf(events, "Handbook")).toEqual([
    { query: "returns", found: [{ document: "shop.md", content: "Within 30 days." }] },
  ]);
});

it("leaves out searches that failed or found nothing, and what is no search", () => {
  const events = [
    start("1", "returns"),
    end("1", { error: "Broken." }, false),
    start("2", "lamps"),
    end("2", outputOf("Handbook")),
    end("3", outputOf("Handbook", "Nobody asked for it.")),
    start("4", "masked"),
    end("4", { collection: "Handbook", results: [{ metadata: { document: 3 }, content: "[masked]" }, "[masked]"] }),
  ];
  expect(searchesOf(events, "Handbook")).toEqual([]);
});

it("looks through the latest runs, each question once", async () => {
  const events = [start("1", "returns"), end("1", outputOf("Handbook", "Within 30 days."))];
  const runs = {
    page: () => Promise.resolve({ runs: [{ id: "a" }, { id: "b" }], next: null }),
    events: () => Promise.resolve(events),
  } as unknown as Services["runs"];
  expect(await recentSearches({ runs }, "Handbook", new AbortController().signal)).toHaveLength(1);
  const stopped = AbortSignal.abort(new Error("Left."));
  await expect(recentSearches({ runs }, "Handbook", stopped)).rejects.toThrow("Left.");
});
