import type { AgentEnding } from "../agent/ending.ts";
import type { FileValue } from "../file/file.ts";
import type { ToolProgress } from "../tool/tool.ts";
import type { ToolApp } from "../tool/tool-app.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Usage } from "../model/chat-model.ts";
import type { RunErrorData } from "../errors.ts";
import type { EventOf, RunEvent, RunEventEnvelope, RunOutcome } from "./events.ts";
import type { UnsaidValue } from "../trust/provenance/unsaid-value.ts";
import type { Taint } from "../trust/taint.ts";

/** `interrupted`: the tab or process that ran it went away before the end. */
export type RunStatus = "running" | RunOutcome | "interrupted";

/** `approval`: waits for a person's approval; `rejected`: the person refused; `paused`: stopped at a breakpoint. */
export type NodeStatus = "waiting" | "running" | "approval" | "paused" | "done" | "rejected" | "failed" | "skipped";

/** What the canvas shows of one node. Service nodes are `running` while they are used. */
export interface NodeRunState {
  status: NodeStatus;
  startedAt?: number;
  endedAt?: number;
  /** Uses of a service node that are in progress. */
  active: number;
  input?: Json;
  output?: Json;
  /** Where untrusted content in the output, or in the error, came from. */
  untrusted?: Taint;
  error?: RunErrorData;
  /** Why an agent stopped early, where it gave what it had. */
  ending?: AgentEnding;
  /** The last warning about the node in this run: what happened and what to do. */
  warning?: string;
  /** Text streamed so far in the current or last model call. */
  text: string;
  iteration?: number;
  maxIterations?: number;
  /** Which loop, when an agent feeds a result back in; counts from 1. */
  round?: number;
  /** A retry that is being waited for. */
  retry?: { attempt: number; maxAttempts: number; until: number; error: RunErrorData };
  /** The node waits until then, in milliseconds since 1970. */
  waitUntil?: number;
  /** The last reported progress; absent when no call is in progress. */
  progress?: ToolProgress;
  /** Finished uses of a service node. */
  uses: number;
  usage?: Usage;
  session?: string;
  /** What is paused at this node by a breakpoint or a step, oldest first; absent when nothing is. */
  pauses?: EventOf<"pause-wait">[];
}

/** The direction in which something travels over an edge at the moment. */
export type EdgeFlow = "forward" | "backward";

/** What every step has: where it belongs, as its events say, and when it began (milliseconds since 1970). */
interface StepBase extends Pick<RunEventEnvelope, "parentCallId" | "item" | "replayed"> {
  id: string;
  startedAt: number;
}

/** A model call as one step: its request, the text so far, its response. */
export interface ModelStep extends StepBase {
  kind: "model";
  nodeId: string;
  round: number;
  request: EventOf<"model-request">;
  text: string;
  reasoning: string;
  response?: EventOf<"model-response">;
  /** The process went away before the answer; the call was made again. */
  brokenOff?: true;
}

/** A tool call as one step. */
export interface ToolStep extends StepBase {
  kind: "tool";
  nodeId: string;
  iteration: number;
  round: number;
  start: EventOf<"tool-call-start">;
  /** The arguments that a person put in while the call was held at a breakpoint. */
  heldInput?: Json;
  /** `preview`: what the call would have done when the person was asked. */
  approval?: {
    state: "waiting" | "approved" | "rejected";
    input: JsonObject;
    reason?: string;
    preview?: Json;
    /** Where the untrusted content came from that the agent had read by then. */
    untrusted?: Taint;
    /** The values for which the person was asked. */
    unsaid?: readonly UnsaidValue[];
    /** The question was whether to make again a call that had begun this many times. */
    again?: number;
  };
  /** It was made although it had begun this many times before a crash, and may have been made each time. */
  again?: number;
  /** Forms that the tool asked a person during the call, the first asked first; without an end while one waits. */
  forms?: { wait: EventOf<"form-wait">; end?: EventOf<"form-end"> }[];
  /** The progress of the call while it runs. */
  progress?: ToolProgress;
  /** The tool's interface, and the result as its server gave it. */
  shown?: { app: ToolApp; output: Json };
  end?: EventOf<"tool-call-end">;
}

/** Anything else that has a line of its own in the timeline. */
export interface NoteStep extends StepBase {
  kind: "note";
  nodeId?: string;
  event: Extract<
    RunEvent,
    {
      type:
        | "node-error"
        | "node-skip"
        | "memory-load"
        | "memory-save"
        | "memory-error"
        | "embedding"
        | "rerank"
        | "transcription"
        | "plan"
        | "reflection"
        | "compaction"
        | "retry"
        | "warning"
        | "iteration-end"
        | "wait-start"
        | "write-start"
        | "run-resume";
    }
  >;
}

/** One line of the steps: a model call, a tool call, or a note about memory, plan, reflection and the like. */
export type RunStep = ModelStep | ToolStep | NoteStep;

/** An agent's early stop, and which agent it was. */
export interface RunEnding extends AgentEnding {
  nodeId: string;
}

/** The state of a run, derived from its events; for a run on a server, `idle` comes from its row. */
export interface RunState {
  runId: string;
  status: RunStatus;
  /** Nobody is working on the run: it waits for a worker or a person. Its status is still `running`. */
  idle?: "queued" | "waiting";
  workflowId?: string;
  workflowName?: string;
  input?: Json;
  /** Where untrusted content in the input came from. */
  untrusted?: Taint;
  output?: Json;
  error?: RunErrorData;
  /** Why the last agent of the flow that stopped early did; agents called as tools tell their callers instead. */
  ending?: RunEnding;
  startedAt?: number;
  endedAt?: number;
  nodes: Record<string, NodeRunState>;
  /** Edges in use now; an edge that is absent is quiet. */
  activeEdges: Record<string, EdgeFlow>;
  /** How many uses of an edge are under way, since parallel calls may share one. */
  edgeUses: Record<string, number>;
  /** Edges that carried something at least once. */
  usedEdges: Record<string, true>;
  steps: RunStep[];
  /** The files of its workspaces as they are now, by workspace and path. */
  workspaceFiles: Record<string, ShownWorkspaceFile>;
  /** Log lines (also warnings and errors), oldest first. */
  logs: EventOf<"log">[];
  usage: Usage;
  costUsd: number | null;
  /** Which attempt is at work, where the run's process went away and another went on; absent for the first. */
  attempt?: number;
  /** The run whose recording serves the beginning of this one. */
  forkedFrom?: EventOf<"run-start">["forkedFrom"];
  /** The documents of tools' interfaces, by their hash; absent where the run has shown none. */
  apps?: Readonly<Record<string, string>>;
  /** Which part of the workflow it takes; absent for all of it. */
  part?: EventOf<"run-start">["part"];
  /** The next expected `seq`; events already seen are ignored. */
  nextSeq: number;
}

/** A file of a workspace as panels show it. */
export interface ShownWorkspaceFile {
  /** The workspace's node. */
  nodeId: string;
  path: string;
  file: FileValue;
  version: number;
  /** When it was written last, in milliseconds since 1970. */
  changedAt: number;
}

/** The state before the first event. */
export function emptyRunState(runId: string): RunState {
  return {
    runId,
    status: "running",
    nodes: {},
    activeEdges: {},
    edgeUses: {},
    usedEdges: {},
    steps: [],
    workspaceFiles: {},
    logs: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: 0,
    nextSeq: 0,
  };
}

/** How a finished tool call ended; undefined while it runs. Runs stored earlier say only by the decision that it was rejected. */
export function toolOutcome({ end, approval }: ToolStep): "done" | "failed" | "rejected" | undefined {
  if (!end) return undefined;
  if (end.rejected === true || (approval?.state === "rejected" && !end.ok)) return "rejected";
  return end.ok ? "done" : "failed";
}
