import { describe, expect, it } from "vitest";
import { userMessage } from "../model/message.ts";
import { modelRequest, modelResponse, numberEvents } from "../testing/run-events.ts";
import type { RunEventBody } from "./events.ts";
import { reduceRunAll } from "./reduce-run.ts";
import { emptyRunState } from "./run-state.ts";

const request = (callId: string, purpose: "answer" | "summary") =>
  modelRequest({ callId, purpose, messages: [userMessage("Hi")] });
const response = (callId: string, text: string) => modelResponse(text, { callId });

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
    const state = reduceRunAll(emptyRunState("r"), numberEvents("r", bodies));
    expect(state.nodes["agent"]?.text).toBe("The answer.");
    expect(state.steps.flatMap((step) => (step.kind === "model" ? [step.text] : []))).toEqual([
      "The answer.",
      "They said hi.",
      "They said hi again.",
    ]);
  });
});
