import { assistantMessage } from "../model/message.ts";
import type { RunEvent, RunEventBody } from "../run/events.ts";

type ModelRequest = Extract<RunEventBody, { type: "model-request" }>;
type ModelResponse = Extract<RunEventBody, { type: "model-response" }>;

const call = { nodeId: "agent", modelNodeId: "model", edgeId: "e", callId: "c1", iteration: 1 };

/** The events of a run: these bodies, numbered from 0, the first at `from` (ms) and each a millisecond after the one before. */
export function numberEvents(runId: string, bodies: readonly RunEventBody[], from = 0): RunEvent[] {
  return bodies.map((body, seq) => ({ ...body, runId, seq, at: from + seq }));
}

/** An agent asks a model: the first call of the node "agent", with nothing in it but what is given. */
export function modelRequest(parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    type: "model-request",
    ...call,
    purpose: "answer",
    provider: "p",
    model: "m",
    settings: {},
    messages: [],
    tools: [],
    toolChoice: "auto",
    ...parts,
  };
}

/** The model's whole answer to that call. */
export function modelResponse(text: string, parts: Partial<ModelResponse> = {}): ModelResponse {
  return {
    type: "model-response",
    ...call,
    message: assistantMessage(text),
    finishReason: "stop",
    costUsd: 0,
    durationMs: 1,
    ...parts,
  };
}
