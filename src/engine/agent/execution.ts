import type { Wired } from "../document/define-node.ts";
import type { FileValue } from "../file/file.ts";
import type { RunFiles } from "../file/run-files.ts";
import type { Host } from "../host.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Memory } from "../memory/memory.ts";
import type { ChatModel, Usage } from "../model/chat-model.ts";
import type { FilePart, ImagePart, Message, ToolMessage, TurnOrigin } from "../model/message.ts";
import { addCost, addUsage } from "../model/usage.ts";
import { RunError } from "../errors.ts";
import type { RunEventBody } from "../run/events.ts";
import type { Pauser } from "../run/pauser.ts";
import type { AgentReplay } from "../run/replay/agent-replay.ts";
import type { RunScope } from "../run/run-scope.ts";
import type { Retry } from "../time/backoff.ts";
import type { LocalSpendingLimit, SpendingLimit } from "../spending/spending-limit.ts";
import type { Deadline } from "../time/deadline.ts";
import type { ToolCallContext, ToolSet } from "../tool/tool.ts";
import { Provenance } from "../trust/provenance/provenance.ts";
import { joinTaint, noTaint, type Taint } from "../trust/taint.ts";
import type { EarlyFinish } from "./ending.ts";
import type { AgentSettings } from "./agent-settings.ts";

/**
 * Everything that one execution of the loop needs. It knows the model, memory and tools of the agent, not the graph.
 */
export interface AgentRun {
  settings: AgentSettings;
  /** The agent's own node, which its events name. */
  nodeId: string;
  /** What a remembered turn says of its origin. */
  origin?: TurnOrigin;
  model: Wired<ChatModel>;
  /**
   * Fallback models, in order: each is used when the retries of the one before it are exhausted, the first after
   * `model`.
   */
  fallback?: readonly Wired<ChatModel>[];
  memory?: Wired<Memory>;
  /** Masks messages before the memory stores them; if absent, they are stored as they are. */
  forMemory?: ((messages: readonly Message[]) => Message[]) | undefined;
  tools: readonly Wired<ToolSet>[];
  /** Images that belong to the user's message. */
  images?: readonly ImagePart[];
  /** Files that belong to it. */
  files?: readonly FilePart[];
  /** Files of the run that belong to it. */
  attached?: readonly FileValue[];
  /** The files of the run, as the agent's node sees them; without it no message holds one. */
  runFiles?: RunFiles;
  /** Where untrusted content in the user's message and the instructions came from. */
  untrusted?: Taint;
  /** What of the instructions the workflow's owner wrote, whatever its templates brought; all of them where nothing is untrusted. */
  written?: readonly string[];
  /** Whose words the user's message holds where nothing in it is untrusted; the person's when absent. */
  requestedBy?: "person" | "model";
  /** The workflow that its tools are in, and what of it must not be stored; without it nothing can be allowed for good. */
  workflow?: { id: string; isHidden(text: string): boolean };
  /** What the agent that called this one as a tool knows of where values came from. */
  caller?: Provenance | undefined;
  host: Host;
  /** Aborted by Stop. */
  signal: AbortSignal;
  /** What it shares with all nodes and agents of the run. */
  scope: RunScope;
  /** 0 for an agent of the main flow, 1 for one that it calls as a tool, and so on. */
  depth: number;
  emit(event: RunEventBody): void;
  /** Like `emit`, for what happens inside the tool call `callId`. */
  emitWithin(callId: string, event: RunEventBody): void;
  /** The gate before model and tool calls; without it nothing pauses. */
  pauser?: Pauser;
  /** Serves calls from a recording. */
  replay?: AgentReplay | undefined;
  /** Also counts model calls for the agent that called this one as a tool. */
  addUsage?: ToolCallContext["addUsage"];
  /** The spending limits of its calls besides the host's, the innermost first: its own, which `runAgent` adds, and its callers'. */
  spending?: readonly SpendingLimit[];
  /** Its own limit, where its settings have one. */
  budget?: LocalSpendingLimit;
  /** Stops the time limits of the agent that called this one as a tool. */
  pausedWhile?: ToolCallContext["pausedWhile"];
}

/** One execution of an agent: what it was given, its time limit, and what it has done so far. */
export interface Execution {
  run: AgentRun;
  deadline: Deadline;
  progress: Progress;
  /** Counts tokens and US dollars, also for the agent that called this one as a tool. */
  addUsage(usage: Usage | undefined, costUsd: number | null): void;
  /** Notes that untrusted content from these sources is in the conversation. */
  addTaint(untrusted: Taint): void;
  /** Tells the log of a problem of the agent, or of another node. */
  warn(message: string, hint: string, nodeId?: string): void;
  /** How the agent ends where it cannot go on after this error. */
  finishAfter(error: unknown): EarlyFinish;
  /** Waits before another attempt, with a countdown in the log. Rejects when the deadline aborts. */
  waitToRetry(nodeId: string, retry: Retry): Promise<void>;
  /** Stops the time limits of this agent, and of all agents that wait for it, while a person is asked. */
  pausedWhile<Value>(wait: () => Promise<Value>): Promise<Value>;
  /**
   * Undefined if the run does not pause at this place; otherwise a promise of the input as a person edited it. Waiting does not
   * count towards the agent's time limit. Rejects when the run is stopped.
   */
  hold(place: Omit<Parameters<Pauser["hold"]>[0], "nodeId">): Promise<Json | undefined> | undefined;
}

/** What one execution of the loop has done so far; the only state that its parts share. */
export interface Progress {
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Iterations of all rounds. */
  iterations: number;
  /** The running iteration within its round, and the round; both from 1. */
  iteration: number;
  round: number;
  usage: Usage;
  costUsd: number | null;
  toolCalls: ToolCallRecord[];
  /** The results of these calls by their ids, as the log has them. */
  results: Map<string, Json>;
  /** Whether the model has made a call that could be made; a person may still have rejected it. */
  hasCalledTool: boolean;
  /** Where the untrusted content in the conversation came from. */
  untrusted: Taint;
  provenance: Provenance;
  /** Tools whose calls were not made, once each call, since nobody could be asked. */
  notMade: string[];
  /** Names of the tools that ran. */
  toolsUsed: Set<string>;
  plan: string | null;
  reflections: string[];
  /** Every step in order, for `returnIntermediateSteps`. */
  steps: JsonObject[];
  /** The model's last text, which is kept if the agent stops early. */
  lastText: string;
  /** The text of a turn that the model paused, until it continues. */
  continued: string;
  /** The part of an answer that arrived before its stream broke off. */
  cutText: string;
  /** Results of calls whose turn was stopped before all of them were there. */
  finishedResults: ToolMessage[];
  /** Whether a memory holds the turn. */
  isRemembered: boolean;
  /** The name of the turn's writes, where the run cannot be resumed. */
  writeName?: string;
  /** The id of the last model call; the same again when the run is resumed. */
  lastModelCall?: string;
}

/** One finished tool call as the output shows it. Times in milliseconds, `startedAt` since 1970. */
export interface ToolCallRecord {
  toolName: string;
  arguments: Json;
  result: Json;
  ok: boolean;
  /** Not called: a person refused, or nobody could be asked. */
  rejected?: true;
  startedAt: number;
  /** Without the time spent waiting for a person. */
  durationMs: number;
}

/** The progress of an execution that begins now (`startedAt`, ms). */
export function newProgress(startedAt: number, provenance = new Provenance()): Progress {
  return {
    startedAt,
    iterations: 0,
    iteration: 0,
    round: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: 0,
    toolCalls: [],
    results: new Map(),
    hasCalledTool: false,
    untrusted: noTaint,
    provenance,
    notMade: [],
    toolsUsed: new Set(),
    plan: null,
    reflections: [],
    steps: [],
    lastText: "",
    continued: "",
    cutText: "",
    finishedResults: [],
    isRemembered: false,
  };
}

/** An execution within a time limit; it goes on from `progress`, or begins now. */
export function createExecution(
  run: AgentRun,
  deadline: Deadline,
  progress: Progress = newProgress(
    run.host.now(),
    new Provenance({ caller: run.caller, ownStores: run.scope.ownStores }),
  ),
): Execution {
  function pausedWhile<Value>(wait: () => Promise<Value>): Promise<Value> {
    const own = () => deadline.pausedWhile(wait);
    return run.pausedWhile ? run.pausedWhile(own) : own();
  }
  return {
    run,
    deadline,
    progress,
    pausedWhile,
    warn(message, hint, nodeId = run.nodeId) {
      run.emit({ type: "warning", nodeId, message, hint });
    },
    addUsage(usage, costUsd) {
      countUsage(progress, usage, costUsd);
      run.addUsage?.(usage ?? { inputTokens: 0, outputTokens: 0 }, costUsd);
    },
    addTaint(untrusted) {
      progress.untrusted = joinTaint(progress.untrusted, untrusted);
    },
    finishAfter(error) {
      const code = error instanceof RunError ? error.data.code : undefined;
      if (code === "cancelled") return "cancelled";
      if (deadline.signal.aborted) return "timeout";
      if (code === "budget") return "budget";
      return code === "content_filter" ? "refused" : "error";
    },
    waitToRetry(nodeId, { attempt, maxAttempts, delayMs, error }) {
      run.emit({ type: "retry", nodeId, attempt, maxAttempts, delayMs, error });
      return run.host.sleep(delayMs, deadline.signal);
    },
    hold(place) {
      const use = { emit: run.emit, signal: deadline.signal, pausedWhile };
      return run.pauser?.hold({ ...place, nodeId: run.nodeId }, use)?.then(({ input }) => input);
    },
  };
}

/** Adds a model call's tokens and US dollars (null: price unknown, and so is the sum). */
export function countUsage(progress: Progress, usage: Usage | undefined, costUsd: number | null): void {
  if (usage) progress.usage = addUsage(progress.usage, usage);
  progress.costUsd = addCost(progress.costUsd, costUsd);
}

/** Makes a call, or passes it on to what makes it. */
export type Handler<Call, Result> = (call: Call) => Promise<Result>;

/** Stands around a call: it may change the call, answer in its place, make it again, or act on the result. */
export type Interceptor<Call, Result> = (call: Call, next: Handler<Call, Result>) => Promise<Result>;

/** `handler` with interceptors around it, the first one outermost; those that have nothing to do here are undefined. */
export function intercepted<Call, Result>(
  handler: Handler<Call, Result>,
  interceptors: readonly (Interceptor<Call, Result> | undefined)[],
): Handler<Call, Result> {
  return interceptors.reduceRight<Handler<Call, Result>>(
    (next, around) => (around ? (call) => around(call, next) : next),
    handler,
  );
}
