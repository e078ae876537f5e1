import { expect, it } from "vitest";
import type { RunEvent, RunEventBody, RunEventEnvelope } from "../events.ts";
import { OpenWrites } from "./open-writes.ts";

const at = (body: RunEventBody, place: Partial<RunEventEnvelope> = {}): RunEvent => ({
  runId: "run",
  seq: 0,
  at: 0,
  ...place,
  ...body,
});
const call = (callId: string) => at({ type: "write-start", nodeId: "agent", callId, toolName: "send" });
const callEnd = (callId: string) =>
  at({
    type: "tool-call-end",
    nodeId: "agent",
    toolNodeId: "tool",
    edgeId: "e",
    callId,
    toolName: "send",
    ok: true,
    output: "",
    text: "",
    size: 0,
    truncated: false,
    durationMs: 1,
  });
const step = (place?: Partial<RunEventEnvelope>) => at({ type: "write-start", nodeId: "post" }, place);
const stepEnd = (place?: Partial<RunEventEnvelope>) =>
  at({ type: "node-end", nodeId: "post", output: null, ports: [], durationMs: 1 }, place);

function openAfter(...events: RunEvent[]) {
  const writes = new OpenWrites();
  for (const event of events) writes.add(event);
  return writes;
}

it("S97 a call and a step are open from the time when they began to change something until they end", () => {
  expect(openAfter(call("a")).last).toMatchObject({ callId: "a" });
  expect(openAfter(call("a"), callEnd("b")).size).toBe(1);
  expect(openAfter(call("a"), step(), callEnd("a")).last).toMatchObject({ nodeId: "post" });
  expect(openAfter(call("a"), callEnd("a"), step(), stepEnd()).size).toBe(0);
});

it.each([{ item: 1 }, { item: 1, outerItems: [2] }, { parentCallId: "a" }])(
  "S97 the same step at another place does not end it: %j",
  (place) => {
    expect(openAfter(step(place), stepEnd()).size).toBe(1);
    expect(openAfter(step(place), stepEnd(place)).size).toBe(0);
  },
);
