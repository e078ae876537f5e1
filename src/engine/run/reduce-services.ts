import { readSessionName } from "../memory/memory.ts";
import { messageText } from "../model/message.ts";
import { addCost } from "../model/usage.ts";
import { unsaidField } from "../trust/provenance/unsaid-value.ts";
import { type EventOf, isOfTurn } from "./events.ts";
import { stepPlace, sumUsage, type RunDraft } from "./run-draft.ts";

/** A service node is used: it runs until its last use has come back. */
function enterService(draft: RunDraft, id: string, at: number): void {
  const service = draft.node(id);
  if (service.active === 0) service.startedAt = at;
  service.active += 1;
  service.status = "running";
  delete service.endedAt;
  delete service.error;
}

function leaveService(draft: RunDraft, id: string, at: number, how: "done" | "failed" | "rejected"): void {
  const service = draft.node(id);
  service.active = Math.max(0, service.active - 1);
  delete service.retry;
  service.uses += 1;
  if (service.active > 0) return;
  service.status = how;
  service.endedAt = at;
}

/** The call travels from the agent to its model, against the edge's direction on the canvas. */
export function reduceModelRequest(draft: RunDraft, event: EventOf<"model-request">): void {
  const agent = draft.node(event.nodeId);
  if (isOfTurn(event.purpose)) agent.text = "";
  delete agent.retry;
  draft.addStep({
    kind: "model",
    id: event.callId,
    ...stepPlace(event),
    nodeId: event.nodeId,
    round: agent.round ?? 1,
    request: event,
    text: "",
    reasoning: "",
  });
  enterService(draft, event.modelNodeId, event.at);
  draft.enterEdge(event.edgeId, "backward");
}

/** Adds a piece of streamed text to its call, and to what the agent shows. */
export function reduceDelta(draft: RunDraft, event: EventOf<"text-delta"> | EventOf<"reasoning-delta">): void {
  const step = draft.modelStep(event.callId);
  if (event.type === "reasoning-delta") {
    if (step) step.reasoning += event.text;
    return;
  }
  if (step) step.text += event.text;
  if (!step || isOfTurn(step.request.purpose)) draft.node(event.nodeId).text += event.text;
}

/** Ends a model call: its answer, tokens and cost. */
export function reduceModelResponse(draft: RunDraft, event: EventOf<"model-response">): void {
  const step = draft.modelStep(event.callId);
  const agent = draft.node(event.nodeId);
  if (step) {
    step.response = event;
    if (step.text === "") {
      step.text = messageText(event.message);
      if (isOfTurn(step.request.purpose)) agent.text = step.text;
    }
  }
  leaveService(draft, event.modelNodeId, event.at, event.error === undefined ? "done" : "failed");
  draft.leaveEdge(event.edgeId);
  const model = draft.node(event.modelNodeId);
  if (event.error) model.error = event.error;
  if (event.replayed) return;
  if (event.usage) {
    agent.usage = sumUsage(agent.usage, event.usage);
    model.usage = sumUsage(model.usage, event.usage);
    draft.state.usage = sumUsage(draft.state.usage, event.usage) ?? draft.state.usage;
  }
  if (event.costUsd !== null || event.usage) countCost(draft, event.costUsd);
}

/** Ends a model call whose process went away. */
export function breakOffCall(draft: RunDraft, callId: string, at: number): void {
  const step = draft.modelStep(callId);
  if (!step || step.response) return;
  step.brokenOff = true;
  leaveService(draft, step.request.modelNodeId, at, "done");
  draft.leaveEdge(step.request.edgeId);
  draft.node(step.nodeId).text = "";
}

/** An unknown cost makes the sum unknown. */
function countCost({ state }: RunDraft, costUsd: number | null): void {
  state.costUsd = addCost(state.costUsd, costUsd);
}

/** A node had texts embedded or put into order, or a recording written down: its own tokens, and the run's. */
export function reduceEmbedding(draft: RunDraft, event: EventOf<"embedding" | "transcription" | "rerank">): void {
  if (event.replayed) return;
  const node = draft.node(event.nodeId);
  node.usage = sumUsage(node.usage, event.usage);
  draft.state.usage = sumUsage(draft.state.usage, event.usage) ?? draft.state.usage;
  countCost(draft, event.costUsd);
}

/** The scratchpad's tools, and calls of tools that do not exist, belong to the agent itself: no node, no edge. */
function isOwnTool({ nodeId, toolNodeId }: { nodeId: string; toolNodeId: string }): boolean {
  return nodeId === toolNodeId;
}

/** Begins a tool call; its node runs and the edge to it is active. */
export function reduceToolStart(draft: RunDraft, event: EventOf<"tool-call-start">): void {
  const agent = draft.node(event.nodeId);
  draft.addStep({
    kind: "tool",
    id: event.callId,
    ...stepPlace(event),
    nodeId: event.nodeId,
    iteration: agent.iteration ?? 1,
    round: agent.round ?? 1,
    start: event,
  });
  if (isOwnTool(event)) return;
  enterService(draft, event.toolNodeId, event.at);
  draft.node(event.toolNodeId).input = event.input;
  draft.enterEdge(event.edgeId, "backward");
}

/** Ends a tool call. */
export function reduceToolEnd(draft: RunDraft, event: EventOf<"tool-call-end">): void {
  const step = draft.toolStep(event.callId);
  if (step) {
    step.end = event;
    delete step.progress;
  }
  if (isOwnTool(event)) return;
  const isRejected = event.rejected === true || step?.approval?.state === "rejected";
  leaveService(draft, event.toolNodeId, event.at, isRejected ? "rejected" : event.ok ? "done" : "failed");
  const tool = draft.node(event.toolNodeId);
  delete tool.progress;
  tool.output = event.output;
  draft.leaveEdge(event.edgeId);
}

/** Shows that a call waits for a person, or what they decided. */
export function reduceApproval(draft: RunDraft, event: EventOf<"approval-wait"> | EventOf<"approval-end">): void {
  // Whether a call is made again is asked within the call.
  const callId = event.again === undefined ? event.callId : event.parentCallId;
  const step = callId === undefined ? undefined : draft.toolStep(callId);
  const tool = draft.node(event.toolNodeId);
  const { input } = event;
  const preview = event.type === "approval-wait" ? event.preview : step?.approval?.preview;
  const because = event.type === "approval-wait" ? event.untrusted : step?.approval?.untrusted;
  const unsaid = event.type === "approval-wait" ? event.unsaid : step?.approval?.unsaid;
  const shown = {
    ...(event.again === undefined ? {} : { again: event.again }),
    ...(preview === undefined ? {} : { preview }),
    ...(because === undefined ? {} : { untrusted: because }),
    ...unsaidField(unsaid),
  };
  if (event.type === "approval-wait") {
    tool.status = "approval";
    if (step) step.approval = { state: "waiting", input, ...shown };
    return;
  }
  if (tool.status === "approval") tool.status = tool.active > 0 ? "running" : "done";
  // A tool's time begins once the person has decided.
  if (tool.active === 1 && !isOwnTool(event)) tool.startedAt = event.at;
  const state = event.approved ? "approved" : "rejected";
  const said = event.reason === undefined ? {} : { reason: event.reason };
  if (step) step.approval = { state, input, ...said, ...shown };
}

/** Notes that a call is made again that may have been made before. */
export function reduceAgain(draft: RunDraft, { callId, again }: EventOf<"write-start">): void {
  const step = callId === undefined ? undefined : draft.toolStep(callId);
  if (step && again !== undefined) step.again = again;
}

/** A form belongs to the call in which it is asked; the tool's node waits for a person as for an approval. */
export function reduceForm(draft: RunDraft, event: EventOf<"form-wait"> | EventOf<"form-end">): void {
  const step = event.parentCallId === undefined ? undefined : draft.toolStep(event.parentCallId);
  const tool = draft.node(event.toolNodeId);
  if (event.type === "form-wait") {
    tool.status = "approval";
    if (step) step.forms = [...(step.forms ?? []), { wait: event }];
    return;
  }
  if (tool.status === "approval") tool.status = tool.active > 0 ? "running" : "done";
  if (!step?.forms) return;
  // A call that was made again asks the same question once more.
  const index = step.forms.findLastIndex(({ wait }) => wait.callId === event.callId);
  step.forms = step.forms.map((form, place) => (place === index ? { ...form, end: event } : form));
}

/** Each piece of news replaces the one before. */
export function reduceProgress(draft: RunDraft, event: EventOf<"tool-progress">): void {
  const { progress, total, text, callId, toolNodeId } = event;
  const news = { progress, total, text };
  const step = draft.toolStep(callId);
  if (step) step.progress = news;
  draft.node(toolNodeId).progress = news;
}

/** The document travels once a run. */
export function reduceApp(draft: RunDraft, { app, output, callId }: EventOf<"tool-app">): void {
  const { html, ...shown } = app;
  if (html !== undefined) draft.state.apps = { ...draft.state.apps, [app.sha256]: html };
  const step = draft.toolStep(callId);
  if (step) step.shown = { app: shown, output };
}

/** Several calls of one tool may be held at once: the node stays paused until the last one is let go. */
export function reducePause(draft: RunDraft, event: EventOf<"pause-wait"> | EventOf<"pause-end">): void {
  const node = draft.node(event.atNodeId);
  if (event.type === "pause-end" && event.input !== undefined) {
    const held = node.pauses?.find(({ pauseId }) => pauseId === event.pauseId);
    const step = held?.callId === undefined ? undefined : draft.toolStep(held.callId);
    if (step) step.heldInput = event.input;
  }
  const others = (node.pauses ?? []).filter(({ pauseId }) => pauseId !== event.pauseId);
  if (event.type === "pause-wait") {
    node.pauses = [...others, event];
    node.status = "paused";
    return;
  }
  if (others.length > 0) {
    node.pauses = others;
    return;
  }
  delete node.pauses;
  if (node.status === "paused") node.status = node.active > 0 ? "running" : node.uses > 0 ? "done" : "waiting";
}

/** Memory events come when the work is done: the node counts a use, and both show the session. */
export function reduceMemory(
  draft: RunDraft,
  event: EventOf<"memory-load"> | EventOf<"memory-save"> | EventOf<"memory-error">,
): void {
  const memory = draft.node(event.memoryNodeId);
  const failed = event.type === "memory-error";
  memory.startedAt ??= event.at;
  memory.endedAt = event.at;
  memory.uses += 1;
  // A scratchpad belongs to its conversation.
  const { session } = readSessionName(event.session);
  memory.session = session;
  memory.status = failed ? "failed" : "done";
  delete memory.retry;
  if (failed) memory.error = event.error;
  draft.node(event.nodeId).session = session;
  draft.useEdge(event.edgeId);
}
