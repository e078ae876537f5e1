import { expect, test } from "vitest";
import type { ChatEvent } from "../../../../src/doors/chat-api.ts";
import type { RunEvent } from "../../../../src/engine/run/events.ts";
import { numberEvents } from "../../../../src/engine/testing/run-events.ts";
import type { RunNews } from "../../_shared/door-runs.ts";
import { answerEvents } from "./answer-events.ts";

async function shown(events: readonly RunEvent[]): Promise<ChatEvent[]> {
  async function* news(): AsyncGenerator<RunNews> {
    for (const event of events) yield { kind: "event", event };
  }
  const seen: ChatEvent[] = [];
  for await (const event of answerEvents(news(), { speaks: () => true, namesSteps: false, link: async () => [] }))
    seen.push(event);
  return seen;
}

test("a visitor hears that an answer waits for a person, once for several questions, and nothing of what is asked", async () => {
  const call = { nodeId: "agent", toolNodeId: "tool", toolName: "send_mail", edgeId: "e" };
  const input = { to: "someone@example.com" };
  const events = numberEvents("run", [
    { type: "approval-wait", ...call, callId: "one", input },
    { type: "approval-wait", ...call, callId: "two", input },
    { type: "approval-end", ...call, callId: "one", approved: true, input },
    { type: "approval-end", ...call, callId: "two", approved: false, input },
  ]);
  expect(await shown(events)).toEqual([
    { type: "wait", waiting: true },
    { type: "wait", waiting: false },
  ]);
});

test("a visitor hears of questions inside a workflow that is called as a tool, too", async () => {
  const call = { nodeId: "agent", toolNodeId: "tool", toolName: "send_mail", edgeId: "e", callId: "inner" };
  const [inner] = numberEvents("run", [{ type: "approval-wait", ...call, input: {} }]);
  if (inner === undefined) throw new Error("There is no event.");
  expect(await shown([{ ...inner, parentCallId: "outer" }])).toEqual([{ type: "wait", waiting: true }]);
});
