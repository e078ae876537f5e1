import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import type { RunErrorData } from "../../engine/errors.ts";
import type { RunOutcome } from "../../engine/run/events.ts";

/** A tool call of a run. */
export interface ToolUse {
  name: string;
  /** As it was made, edited by a person or not. */
  input: Json;
  output: Json;
  ok: boolean;
  /** A person was asked. */
  asked: boolean;
  /** A person said no, or there was nobody to say yes. */
  rejected: boolean;
}

/** A finished run, or conversation of runs, as assertions look at it: answer and ending are the last, tools and costs of all. */
export interface TrialView {
  input: Json;
  expected: Json | undefined;
  metadata: JsonObject;
  outcome: RunOutcome;
  error: RunErrorData | undefined;
  /** The whole output, and the agent's answer in it: a text, or what its output format asks for. */
  output: Json;
  answer: Json;
  text: string;
  /** Of a conversation of several messages: each with its answer. Else empty. */
  turns: readonly { input: Json; answer: string }[];
  /** How the run, its last agent and that agent's last model call ended. */
  endings: string[];
  tools: ToolUse[];
  modelCalls: number;
  /** Of the run, or of its recording where that answered; null when a price is not known. */
  costUsd: number | null;
  latencyMs: number;
  tokens: number;
  /** Texts that stand in the conversations that memories keep, or undefined without a memory. */
  remembered: string[] | undefined;
}

/** The answer as JSON, taken out of a code fence around it; undefined when it is none. */
export function answerJson({ answer, text }: Pick<TrialView, "answer" | "text">): Json | undefined {
  if (isJsonObject(answer) || Array.isArray(answer)) return answer;
  const fenced = /^```(?:json)?\s*\n([\s\S]*)\n```$/i.exec(text.trim());
  return parseJson(fenced?.[1] ?? text);
}

/** A run as CEL and JavaScript see it. */
export function trialVariables(trial: TrialView): JsonObject {
  const { input, expected, metadata, answer, output, outcome, endings, tools, modelCalls } = trial;
  return {
    input,
    expected: expected ?? null,
    metadata,
    output: answer,
    turns: trial.turns.map((turn) => ({ ...turn })),
    run: {
      output,
      outcome,
      endings,
      tools: tools.map((tool) => ({ ...tool })),
      modelCalls,
      costUsd: trial.costUsd,
      latencyMs: trial.latencyMs,
      tokens: trial.tokens,
    },
  };
}
