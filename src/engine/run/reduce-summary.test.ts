import { describe, expect, it } from "vitest";
import { assistantMessage, userMessage } from "../model/message.ts";
import type { RunEvent, RunEventBody } from "./events.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";

const call = { nodeId: "agent", modelNodeId: "model", edgeId: "e", iteration: 1 };
const request = (callId: string, purpose: "answer" | "summary"): RunEventBody => ({
  type: "model-request",
  ...call,
  callId,
  purpose,
  provider: "p",
  model: "m",
  settings: {},
  messages: [userMessage("Hi")],
  tools: [],
  toolChoice: "auto",
});
const response = (callId: string, text: string): RunEventBody => ({
  type: "model-response",
  ...call,
  callId,
  message: assistantMessage(text),
  finishReason: "stop",
  costUsd: 0,
  durationMs: 1,
});

describe("a summary for the memory", () => {
  it("is a step of its own and leaves the answer on the agent", () => {
    const bodies: RunEventBody[] = [
      { type: "run-start", workflowId: "w", workflowName: "w", input: {} },
      request("1", "answer"),
      { type: "text-delta", nodeId: "agent", callId: "1", text: "The answer." },
      response("1", "The answer."),
      request("2", "summary"),
      { type: "text-delta", nodeId: "agent", callId: "2", text: "They said hi." },
      response("2", "They said hi."),
      request("3", "summary"),
      response("3", "They said hi again."),
    ];
    const events: RunEvent[] = bodies.map((body, seq) => ({ runId: "r", seq, at: seq, ...body }));
    const state = reduceRunAll(emptyRunState("r"), events);
    expect(state.nodes["agent"]?.text).toBe("The answer.");
    expect(state.steps.flatMap((step) => (step.kind === "model" ? [step.text] : []))).toEqual([
      "The answer.",
      "They said hi.",
      "They said hi again.",
    ]);
  });
});
