import type { Json, JsonObject } from "../../json.ts";
import type { Usage } from "../../model/chat-model.ts";
import { addCost, addUsage } from "../../model/usage.ts";
import { noTaint, type Taint } from "../../trust/taint.ts";

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

/** What one execution of the loop has done so far; the only state that its parts share. */
export interface Progress {
  startedAt: number;
  /** Iterations of all rounds. */
  iterations: number;
  /** The running iteration within its round, and the round; both from 1. */
  iteration: number;
  round: number;
  usage: Usage;
  costUsd: number | null;
  toolCalls: ToolCallRecord[];
  /** Whether the model has made a call that could be made; a person may still have rejected it. */
  hasCalledTool: boolean;
  /** Where the untrusted content in the conversation came from. */
  untrusted: Taint;
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
}

/** The progress of an execution that begins now (`startedAt`, ms). */
export function newProgress(startedAt: number): Progress {
  return {
    startedAt,
    iterations: 0,
    iteration: 0,
    round: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    costUsd: 0,
    toolCalls: [],
    hasCalledTool: false,
    untrusted: noTaint,
    toolsUsed: new Set(),
    plan: null,
    reflections: [],
    steps: [],
    lastText: "",
    continued: "",
    cutText: "",
  };
}

/** Adds a model call's tokens and US dollars (null: price unknown, and so is the sum). */
export function countUsage(progress: Progress, usage: Usage | undefined, costUsd: number | null): void {
  if (usage) progress.usage = addUsage(progress.usage, usage);
  progress.costUsd = addCost(progress.costUsd, costUsd);
}
