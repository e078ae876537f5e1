import { expect, test } from "vitest";
import type { LiveText } from "../../../src/doors/live-news.ts";
import { createLiveAnswers } from "./live-answers.ts";

const piece = (at: number, text: string): LiveText => ({
  kind: "text",
  nodeId: "agent",
  callId: "a",
  purpose: "answer",
  request: 3,
  at,
  text,
});

async function read(stream: ReadableStream<Uint8Array>, lines: number): Promise<unknown[]> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const heard: unknown[] = [];
  while (heard.length < lines) {
    const { done, value } = await reader.read();
    if (done) break;
    // The studio writes whole lines.
    const line = decoder.decode(value).trim();
    if (line !== "") heard.push(JSON.parse(line));
  }
  await reader.cancel();
  return heard;
}

test("who listens hears at once, who comes later from the beginning of what is said now", async () => {
  const answers = createLiveAnswers();
  const early = answers.follow("run");
  answers.tell("run", piece(0, "Hel"));
  answers.tell("run", piece(3, "lo"));
  answers.tell("other", piece(0, "Not for you"));
  const late = answers.follow("run");
  expect(await read(early, 2)).toEqual([piece(0, "Hel"), piece(3, "lo")]);
  expect(await read(late, 1)).toEqual([piece(0, "Hello")]);
});

test("what was stored is not kept, nor what is too long", async () => {
  const answers = createLiveAnswers();
  answers.tell("run", piece(0, "stored"));
  answers.tell("run", { kind: "stored" });
  answers.tell("long", piece(0, "x".repeat(300_000)));
  for (const run of ["run", "long"]) {
    const late = answers.follow(run);
    answers.forget(run);
    expect(await read(late, 1)).toEqual([{ kind: "stored" }]);
  }
});

test("a reader that takes nothing is let go", async () => {
  const answers = createLiveAnswers();
  const idle = answers.follow("run");
  for (let count = 0; count < 10_100; count += 1) answers.tell("run", { kind: "stored" });
  const heard = await read(idle, 1_000_000);
  expect(heard.length).toBeGreaterThan(9_000);
  expect(heard.length).toBeLessThan(10_100);
});

test("who watches a run hears that it changed, never what was said, and not more often than they read", async () => {
  const answers = createLiveAnswers();
  const reader = answers.changes("run").getReader();
  const decoder = new TextDecoder();
  const next = async () => decoder.decode((await reader.read()).value);
  expect(await next()).toBe("\n");
  answers.tell("run", piece(0, "a secret"));
  answers.tell("other", { kind: "stored" });
  for (let count = 0; count < 100; count += 1) answers.tell("run", { kind: "stored" });
  expect([await next(), await next()]).toEqual(["changed\n", "changed\n"]);
  answers.forget("run");
  expect(await next()).toBe("changed\n");
  await reader.cancel();
});
