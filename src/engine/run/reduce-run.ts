import type { EventOf, RunEvent } from "./events.ts";
import { RunDraft, stepPlace } from "./run-draft.ts";
import type { NoteStep, RunState } from "./run-state.ts";
import {
  breakOffCall,
  reduceAgain,
  reduceApp,
  reduceApproval,
  reduceDelta,
  reduceEmbedding,
  reduceForm,
  reduceMemory,
  reduceModelRequest,
  reduceModelResponse,
  reducePause,
  reduceProgress,
  reduceToolEnd,
  reduceToolStart,
} from "./reduce-services.ts";

/**
 * A run's state after one more event. Pure: the same events give the same state, live or replayed; parts that did not
 * change keep their identity. Events of another run, and those already seen (`seq`), change nothing. Never throws.
 */
export function reduceRun(state: RunState, event: RunEvent): RunState {
  return reduceRunAll(state, [event]);
}

/** The same for a batch, at the cost of one copy per touched part; for live streams and for replays. */
export function reduceRunAll(state: RunState, events: readonly RunEvent[]): RunState {
  let draft: RunDraft | undefined;
  for (const event of events) {
    const seen = draft?.state ?? state;
    if (event.runId !== seen.runId || event.seq < seen.nextSeq) continue;
    draft ??= new RunDraft(state);
    draft.state.nextSeq = event.seq + 1;
    apply(draft, event);
  }
  return draft?.state ?? state;
}

/** A run whose events stopped before its end, as one that was broken off (a closed tab). Others stay as they are. */
export function interruptRun(state: RunState): RunState {
  if (state.status !== "running") return state;
  const draft = new RunDraft(state);
  draft.state.status = "interrupted";
  settleRest(draft, undefined, false);
  return draft.state;
}

function apply(draft: RunDraft, event: RunEvent): void {
  switch (event.type) {
    case "run-start":
      return reduceRunStart(draft.state, event);
    case "run-resume":
      reduceRunResume(draft, event);
      return addNote(draft, event);
    case "run-end":
      return reduceRunEnd(draft, event);
    case "node-start":
      return reduceNodeStart(draft, event);
    case "node-end":
      return reduceNodeEnd(draft, event);
    case "node-error":
      return reduceNodeError(draft, event);
    case "node-skip":
      draft.node(event.nodeId).status = "skipped";
      return addNote(draft, event);
    case "edge-pass":
      return draft.useEdge(event.edgeId);
    case "iteration-start": {
      const agent = draft.node(event.nodeId);
      agent.iteration = event.iteration;
      agent.round = event.round;
      agent.maxIterations = event.maxIterations;
      delete agent.ending;
      return;
    }
    case "iteration-end":
      return reduceIterationEnd(draft, event);
    case "model-request":
      return reduceModelRequest(draft, event);
    case "text-delta":
    case "reasoning-delta":
      return reduceDelta(draft, event);
    case "model-response":
      return reduceModelResponse(draft, event);
    case "tool-call-start":
      return reduceToolStart(draft, event);
    case "tool-call-end":
      return reduceToolEnd(draft, event);
    case "approval-wait":
    case "approval-end":
      return reduceApproval(draft, event);
    case "form-wait":
    case "form-end":
      return reduceForm(draft, event);
    case "tool-progress":
      return reduceProgress(draft, event);
    case "tool-app":
      return reduceApp(draft, event);
    case "pause-wait":
    case "pause-end":
      return reducePause(draft, event);
    case "write-start":
      if (event.again === undefined) return;
      reduceAgain(draft, event);
      return addNote(draft, event);
    case "wait-start":
      draft.node(event.nodeId).waitUntil = event.until;
      return addNote(draft, event);
    case "wait-end":
      delete draft.node(event.nodeId).waitUntil;
      return;
    case "memory-load":
    case "memory-save":
      reduceMemory(draft, event);
      return addNote(draft, event);
    case "memory-error":
      reduceMemory(draft, event);
      addLog(draft, event, "warn", event.error.message, event.nodeId);
      return addNote(draft, event);
    case "embedding":
    case "rerank":
    case "transcription":
      reduceEmbedding(draft, event);
      return addNote(draft, event);
    case "file-add":
      return reduceFile(draft, event);
    case "plan":
    case "reflection":
    case "compaction":
      return addNote(draft, event);
    case "retry": {
      const { attempt, maxAttempts, delayMs, error } = event;
      draft.node(event.nodeId).retry = { attempt, maxAttempts, until: event.at + delayMs, error };
      return addNote(draft, event);
    }
    case "warning":
      if (event.nodeId !== undefined) draft.node(event.nodeId).warning = `${event.message} ${event.hint}`;
      addLog(draft, event, "warn", event.message, event.nodeId);
      return addNote(draft, event);
    case "log":
      return draft.addLog(event);
    default:
      return ignore(event);
  }
}

/** Events of a newer version have no meaning here. */
function ignore(_event: never): void {}

function reduceRunStart(state: RunState, event: EventOf<"run-start">): void {
  state.status = "running";
  state.workflowId = event.workflowId;
  state.workflowName = event.workflowName;
  state.input = event.input;
  if (event.untrusted) state.untrusted = event.untrusted;
  state.startedAt = event.at;
  if (event.forkedFrom) state.forkedFrom = event.forkedFrom;
  if (event.part) state.part = event.part;
}

function reduceFile(draft: RunDraft, { nodeId, file, workspace, at }: EventOf<"file-add">): void {
  if (workspace) draft.addWorkspaceFile({ nodeId, ...workspace, file, changedAt: at });
}

/** Calls that were broken off end here, without a result. */
function reduceRunResume(draft: RunDraft, event: EventOf<"run-resume">): void {
  draft.state.status = "running";
  draft.state.attempt = event.attempt;
  for (const callId of event.brokenOff) breakOffCall(draft, callId, event.at);
}

function reduceNodeStart(draft: RunDraft, event: EventOf<"node-start">): void {
  const node = draft.node(event.nodeId);
  for (const key of ["endedAt", "output", "untrusted", "error", "retry", "iteration", "round", "ending"] as const)
    delete node[key];
  node.status = "running";
  node.active = event.item === undefined ? 0 : node.active + 1;
  node.text = "";
  node.startedAt = event.at;
  node.input = event.input;
}

function reduceIterationEnd(draft: RunDraft, event: EventOf<"iteration-end">): void {
  const { nodeId, finish, ending } = event;
  if (ending) {
    draft.node(nodeId).ending = ending;
    if (event.parentCallId === undefined) draft.state.ending = { nodeId, ...ending };
    addLog(draft, event, "warn", ending.message, nodeId);
  }
  if (finish !== undefined) addNote(draft, event);
}

/** A node whose failure was handled stays marked, although the run went on. */
function reduceNodeEnd(draft: RunDraft, event: EventOf<"node-end">): void {
  const node = draft.node(event.nodeId);
  endUse(node, event);
  if (node.active === 0) node.status = node.error ? "failed" : "done";
  node.output = event.output;
  if (event.untrusted) node.untrusted = event.untrusted;
}

function reduceNodeError(draft: RunDraft, event: EventOf<"node-error">): void {
  const { nodeId, error } = event;
  const node = draft.node(nodeId);
  endUse(node, event);
  node.status = "failed";
  node.error = error;
  if (event.untrusted) node.untrusted = event.untrusted;
  const cause = error.nodeId;
  if (cause !== undefined && cause !== nodeId && draft.state.nodes[cause]?.status !== "failed") {
    const other = draft.node(cause);
    other.status = "failed";
    other.error = error;
  }
  addLog(draft, event, "error", error.message, nodeId);
  addNote(draft, event);
}

function endUse(node: RunState["nodes"][string], event: RunEvent): void {
  node.endedAt = event.at;
  if (event.item !== undefined) {
    node.active = Math.max(0, node.active - 1);
    node.uses += 1;
  }
  delete node.retry;
}

function reduceRunEnd(draft: RunDraft, event: EventOf<"run-end">): void {
  const { outcome, output, error, usage, costUsd, at } = event;
  const { state } = draft;
  state.status = outcome;
  state.output = output;
  state.usage = usage;
  state.costUsd = costUsd;
  state.endedAt = at;
  if (error) {
    state.error = error;
    addLog(draft, event, outcome === "cancelled" ? "warn" : "error", error.message, error.nodeId);
  }
  settleRest(draft, at, outcome === "completed");
}

/** Nothing goes on after the end: what was still under way is settled. */
function settleRest(draft: RunDraft, at: number | undefined, ok: boolean): void {
  for (const [id, node] of Object.entries(draft.state.nodes)) {
    if (node.status !== "running" && node.status !== "approval" && node.status !== "paused") continue;
    const copy = draft.node(id);
    delete copy.pauses;
    delete copy.waitUntil;
    copy.status = ok ? "done" : "failed";
    copy.active = 0;
    if (at !== undefined) copy.endedAt = at;
    delete copy.retry;
  }
  draft.state.activeEdges = {};
  draft.state.edgeUses = {};
}

function addNote(draft: RunDraft, event: NoteStep["event"]): void {
  const nodeId = "nodeId" in event && event.nodeId !== undefined ? { nodeId: event.nodeId } : {};
  draft.addStep({ kind: "note", id: `note-${event.seq}`, ...stepPlace(event), ...nodeId, event });
}

/** A warning or an error as a line of the log, so that search and filters find it. */
function addLog(draft: RunDraft, event: RunEvent, level: "warn" | "error", message: string, nodeId?: string): void {
  const { runId, seq, at, parentCallId, item } = event;
  const place = { ...(parentCallId === undefined ? {} : { parentCallId }), ...(item === undefined ? {} : { item }) };
  draft.addLog({ type: "log", runId, seq, at, ...place, level, message, ...(nodeId === undefined ? {} : { nodeId }) });
}
