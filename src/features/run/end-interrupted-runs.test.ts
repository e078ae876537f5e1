import { expect, it } from "vitest";
import type { RunEventBody } from "../../engine/run/events.ts";
import { numberEvents } from "../../engine/testing/run-events.ts";
import { wordsOfInterruption } from "./end-interrupted-runs.ts";

const call = { nodeId: "agent", toolNodeId: "tool", edgeId: "e", callId: "c", toolName: "send" };
const begun: RunEventBody = { type: "write-start", nodeId: "agent", callId: "c", toolName: "send" };
const end: RunEventBody = {
  type: "tool-call-end",
  ...call,
  ok: true,
  output: "",
  text: "",
  size: 0,
  truncated: false,
  durationMs: 1,
};

const words = (...bodies: RunEventBody[]) =>
  wordsOfInterruption({ events: async () => numberEvents("run", bodies) }, "run");

it("S97 a person is told what may have been done when a page went away", async () => {
  expect(await words(begun)).toContain("send may have been called: check whether it took effect.");
  expect(await words({ type: "write-start", nodeId: "post" })).toContain("Its last step may have been done");
  expect(await words(begun, end)).not.toContain("may have been");
  expect(await words({ type: "approval-wait", ...call, input: {} })).toContain(
    "your approval of send, which was not called",
  );
});
