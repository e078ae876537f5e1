import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../model/message.ts";
import { runScriptedAgent, testMemory, testTool } from "../testing/run-scripted-agent.ts";
import { scriptedModel, type ScriptedTurn } from "../testing/scripted-model.ts";

const call = fc.record({
  name: fc.constantFrom("fine", "throws", "slow", "asks", "unknown", ""),
  arguments: fc.oneof(fc.constantFrom("", "{", "[]", "null", '{"a":1}'), fc.record({ a: fc.integer() })),
  callId: fc.constantFrom("", "x", "y", "z"),
});

const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ text: fc.constantFrom("", "Hm.", "[[DONE]]"), calls: fc.array(call, { maxLength: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ text: fc.constantFrom("", "Half"), error: fc.record({ retryable: fc.boolean() }) }),
  },
  { weight: 1, arbitrary: fc.constant({ hang: true }) },
  { weight: 1, arbitrary: fc.constant({ text: "Half", silent: true }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constant("Cut"),
      finishReason: fc.constantFrom("length", "content-filter", "other", "pause"),
    }),
  },
);

const settings = fc.record({
  maxIterations: fc.integer({ min: 1, max: 6 }),
  toolChoice: fc.constantFrom("auto", "required", "none"),
  outputFormat: fc.constantFrom("text", "json", "full"),
  onError: fc.constantFrom("fail", "continue", "retry"),
  onIterationLimit: fc.constantFrom("answer", "stop"),
  rememberToolCalls: fc.constantFrom("none", "compact", "full"),
  toolConcurrency: fc.integer({ min: 1, max: 4 }),
  repeatedCallLimit: fc.integer({ min: 1, max: 3 }),
  maxTotalTokens: fc.constantFrom(null, 40),
  planning: fc.boolean(),
  reflection: fc.boolean(),
  reflectionFrequency: fc.integer({ min: 1, max: 2 }),
  autoIterate: fc.boolean(),
  scratchpad: fc.boolean(),
});

const tools = () => [
  testTool("fine", (input) => ({ ok: true, output: input })),
  testTool("throws", () => {
    throw new Error("no");
  }),
  testTool("slow", () => new Promise(() => undefined), { timeoutMs: 500 }),
  testTool("asks", "ok", { approval: "once" }),
];

/** What every vendor demands: system first, each call answered right after it and once, ids used once. */
function problemsOf(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "system" && index > 0) problems.push("system prompt not first");
    if (message.role === "tool") {
      if (open.shift() !== message.callId) problems.push(`result ${message.callId} out of place`);
      continue;
    }
    if (open.length > 0) problems.push(`calls without result: ${open.join()}`);
    open = [];
    if (message.role !== "assistant") continue;
    for (const part of message.parts) {
      if (part.type !== "tool-call") continue;
      if (used.has(part.callId) || part.callId === "") problems.push(`call id "${part.callId}" used twice`);
      used.add(part.callId);
      open.push(part.callId);
    }
  }
  if (open.length > 0) problems.push("calls without result at the end");
  return problems;
}

describe("the agent loop, whatever model and settings do", () => {
  it("ends, pairs its events, sends whole conversations and saves whole turns", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 8 }),
        settings,
        fc.boolean(),
        fc.option(fc.nat({ max: 30 }), { nil: undefined }),
        async (turns, some, withFallback, cancelAt) => {
          const memory = testMemory();
          const controller = new AbortController();
          let seen = 0;
          const fallback = withFallback ? { fallback: scriptedModel(() => ({ text: "Fallback." })) } : {};
          const { outcome, of, model } = await runScriptedAgent({
            script: (_request, index) => turns[index % turns.length] ?? {},
            settings: some,
            tools: tools(),
            memory,
            ...fallback,
            signal: controller.signal,
            onEvent: () => {
              if (seen++ === cancelAt) controller.abort();
            },
          });
          expect(outcome.ok || outcome.error.hint !== "").toBe(true);
          expect(of("model-response").map((event) => event.callId)).toEqual(
            of("model-request").map((event) => event.callId),
          );
          const started = of("tool-call-start").map((event) => event.callId);
          expect(new Set(started).size).toBe(started.length);
          expect(
            of("tool-call-end")
              .map((event) => event.callId)
              .toSorted(),
          ).toEqual(started.toSorted());
          expect(of("iteration-end").length).toBe(of("iteration-start").length);
          expect(model.requests.flatMap((request) => problemsOf(request.messages))).toEqual([]);
          const saved = memory.writes.filter((write) => write.session === "session");
          expect(saved.length).toBeLessThanOrEqual(1);
          const marks = saved.flatMap(({ messages }) =>
            messages.flatMap((message) => (message.role === "assistant" ? [message.incomplete] : [])).slice(-1),
          );
          const mark = outcome.finish === "completed" ? undefined : outcome.finish;
          // Stop may come after the turn was saved.
          const isSavedBefore = (each: string | undefined) => outcome.finish === "cancelled" && each !== "cancelled";
          for (const each of marks) if (!isSavedBefore(each)) expect(each).toBe(mark);
          expect(of("iteration-end").at(-1)?.finish).toBe(
            of("iteration-end").length > 0 && outcome.ok ? outcome.finish : of("iteration-end").at(-1)?.finish,
          );
          expect(saved.flatMap((write) => problemsOf(write.messages))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  }, 60_000);
});
