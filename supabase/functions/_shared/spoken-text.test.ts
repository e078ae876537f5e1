import { expect, test } from "vitest";
import { LiveTexts } from "../../../src/doors/live-news.ts";
import type { RunEvent } from "../../../src/engine/run/events.ts";
import { SpokenText } from "./spoken-text.ts";

const base = { runId: "run", at: 0 };

function request(seq: number, callId: string, parentCallId?: string): RunEvent {
  return {
    ...base,
    seq,
    type: "model-request",
    nodeId: "agent",
    callId,
    purpose: "answer",
    ...(parentCallId === undefined ? {} : { parentCallId }),
    provider: "scripted",
    model: "m",
    settings: {},
    messages: [],
    tools: [],
    toolChoice: "auto",
    iteration: 1,
    modelNodeId: "model",
    edgeId: "wire",
  };
}

function delta(seq: number, callId: string, text: string, parentCallId?: string): RunEvent {
  const nested = parentCallId === undefined ? {} : { parentCallId };
  return { ...base, seq, type: "text-delta", nodeId: "agent", callId, text, ...nested };
}

const live = new LiveTexts();
const first = [request(3, "a"), delta(4, "a", "Hel"), delta(5, "a", "lo "), delta(6, "a", "there")];
const told = first.map((event) => live.take(event)).filter((news) => news !== null);

test("a worker tells each piece with its place", () => {
  expect(told.map(({ at, text, request: seq }) => [seq, at, text])).toEqual([
    [3, 0, "Hel"],
    [3, 3, "lo "],
    [3, 6, "there"],
  ]);
  expect(live.take(request(7, "b", "tool"))).toBeNull();
  expect(live.take(delta(8, "b", "inner", "tool"))).toBeNull();
});

test("every character is said once, whichever comes first", () => {
  for (const order of [
    [told[0], told[1], told[2], "log"],
    [told[0], "log", told[1], told[2]],
    ["log", told[0], told[1], told[2]],
    // The beginning was told before anybody listened.
    [told[1], told[2], "log"],
  ] as const) {
    const spoken = new SpokenText();
    let said = "";
    for (const one of order) {
      if (one === undefined) continue;
      const news =
        one === "log"
          ? [spoken.stored(request(3, "a")), spoken.stored(delta(4, "a", "Hello there"))]
          : [spoken.live(one)];
      for (const piece of news) {
        said += piece?.text ?? "";
        if (piece) expect([piece.request, piece.upTo]).toEqual([3, said.length]);
      }
    }
    expect(said).toBe("Hello there");
  }
});

test("what helpers say among themselves is not told", () => {
  const spoken = new SpokenText();
  expect(spoken.stored(request(3, "a", "tool"))).toBeNull();
  expect(spoken.stored(delta(4, "a", "inner", "tool"))).toBeNull();
});
