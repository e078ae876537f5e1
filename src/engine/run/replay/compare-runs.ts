import { canonicalJson } from "../../canonical-json.ts";
import type { Json } from "../../json.ts";
import { messageText } from "../../model/message.ts";
import { comparableOutput } from "./comparable-output.ts";
import type { ModelStep, NodeRunState, RunState, ToolStep } from "../run-state.ts";

/** What two runs are compared by: model and tool calls, which all else follows from. */
export type ComparedStep = ModelStep | ToolStep;

/** In what two steps that stand for each other differ; none when they are the same. */
export type StepDifference = "request" | "response" | "arguments" | "result" | "failure" | "tokens";

/** Two steps side by side; one side is absent where only the other run made it. */
export interface ComparedPair {
  left?: ComparedStep;
  right?: ComparedStep;
  differences: StepDifference[];
}

/** One node in both runs. */
export interface ComparedNode {
  nodeId: string;
  left?: NodeRunState;
  right?: NodeRunState;
  same: boolean;
}

/** Two runs side by side. */
export interface RunComparison {
  steps: ComparedPair[];
  /** Nodes with an output, in the order in which either run came to them. */
  nodes: ComparedNode[];
  sameInput: boolean;
  /** Without an agent's figures. */
  sameOutput: boolean;
}

/**
 * Lines up the model and tool calls of two runs: the longest sequence of calls of the same kind at the same node (and of the
 * same tool) that both made in order, those that ask the same preferred. Pure; any two states give a comparison.
 */
export function compareRuns(left: RunState, right: RunState): RunComparison {
  return {
    steps: alignSteps(calls(left), calls(right)),
    nodes: compareNodes(left, right),
    sameInput: sameJson(left.input, right.input),
    sameOutput: sameJson(comparableOutput(left.output), comparableOutput(right.output)),
  };
}

function calls({ steps }: RunState): ComparedStep[] {
  return steps.filter((step) => step.kind !== "note");
}

/** How well two steps fit: 0 not at all, 1 the same place, 2 and it asks the same. */
function fit(left: ComparedStep, right: ComparedStep): number {
  if (left.nodeId !== right.nodeId || left.item !== right.item) return 0;
  if (left.kind === "tool" && right.kind === "tool") {
    if (left.start.toolName !== right.start.toolName) return 0;
    return textOf(left, ({ start }) => canonicalJson(start.input)) ===
      textOf(right, ({ start }) => canonicalJson(start.input))
      ? 2
      : 1;
  }
  if (left.kind === "model" && right.kind === "model") {
    if (left.request.purpose !== right.request.purpose) return 0;
    return left.id === right.id || textOf(left, asked) === textOf(right, asked) ? 2 : 1;
  }
  return 0;
}

const texts = new WeakMap<ComparedStep, string>();

/** What a step asks as text, worked out once: it is looked at for every step of the other run. */
function textOf<Step extends ComparedStep>(step: Step, write: (step: Step) => string): string {
  const known = texts.get(step);
  if (known !== undefined) return known;
  const text = write(step);
  texts.set(step, text);
  return text;
}

/** At most this many cells are looked at; longer runs are lined up piece by piece. */
const largestTable = 4_000_000;

function alignSteps(left: readonly ComparedStep[], right: readonly ComparedStep[]): ComparedPair[] {
  // What both runs begin and end with needs no table; after a fork that is most of it.
  let start = 0;
  while (start < left.length && start < right.length && fitsAt(left, right, start, start)) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    fitsAt(left, right, left.length - 1 - end, right.length - 1 - end)
  )
    end += 1;
  const head = Array.from({ length: start }, (_, index) => pair(left[index], right[index]));
  const tail = Array.from({ length: end }, (_, index) =>
    pair(left[left.length - end + index], right[right.length - end + index]),
  );
  const middle = alignMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return [...head, ...middle, ...tail];
}

function fitsAt(left: readonly ComparedStep[], right: readonly ComparedStep[], a: number, b: number): boolean {
  const [one, other] = [left[a], right[b]];
  return one !== undefined && other !== undefined && fit(one, other) === 2;
}

/** Longest common subsequence by weight (Needleman and Wunsch 1970, without a gap penalty). */
function alignMiddle(left: readonly ComparedStep[], right: readonly ComparedStep[]): ComparedPair[] {
  const width = right.length + 1;
  if (left.length * width > largestTable) {
    const half = [left.length >> 1, right.length >> 1] as const;
    return [
      ...alignMiddle(left.slice(0, half[0]), right.slice(0, half[1])),
      ...alignMiddle(left.slice(half[0]), right.slice(half[1])),
    ];
  }
  const fits = left.map((one) => right.map((other) => fit(one, other)));
  const best = new Int32Array((left.length + 1) * width);
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      const here = fits[a]?.[b] ?? 0;
      const skip = Math.max(best[(a + 1) * width + b] ?? 0, best[a * width + b + 1] ?? 0);
      best[a * width + b] = here > 0 ? Math.max(skip, here + (best[(a + 1) * width + b + 1] ?? 0)) : skip;
    }
  }
  const pairs: ComparedPair[] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    const here = fits[a]?.[b] ?? 0;
    const value = best[a * width + b] ?? 0;
    if (here > 0 && value === here + (best[(a + 1) * width + b + 1] ?? 0)) pairs.push(pair(left[a++], right[b++]));
    else if (a < left.length && (b === right.length || value === (best[(a + 1) * width + b] ?? 0)))
      pairs.push(pair(left[a++], undefined));
    else pairs.push(pair(undefined, right[b++]));
  }
  return pairs;
}

function pair(left: ComparedStep | undefined, right: ComparedStep | undefined): ComparedPair {
  const sides = { ...(left ? { left } : {}), ...(right ? { right } : {}) };
  return { ...sides, differences: left && right ? differencesOf(left, right) : [] };
}

function differencesOf(left: ComparedStep, right: ComparedStep): StepDifference[] {
  const found: StepDifference[] = [];
  if (left.kind === "model" && right.kind === "model") {
    const [a, b] = [left.response, right.response];
    if (textOf(left, asked) !== textOf(right, asked)) found.push("request");
    if (answered(left) !== answered(right)) found.push("response");
    if ((a?.error === undefined) !== (b?.error === undefined)) found.push("failure");
    if (a?.usage?.inputTokens !== b?.usage?.inputTokens || a?.usage?.outputTokens !== b?.usage?.outputTokens)
      found.push("tokens");
  }
  if (left.kind === "tool" && right.kind === "tool") {
    if (!sameJson(left.approval?.input ?? left.start.input, right.approval?.input ?? right.start.input))
      found.push("arguments");
    if (!sameJson(left.end?.output, right.end?.output)) found.push("result");
    if (left.end?.ok !== right.end?.ok) found.push("failure");
  }
  return found;
}

/** What a model call asks, as text; messages are compared by what stands in them. */
function asked({ request }: ModelStep): string {
  const { provider, model, settings, messages, tools } = request;
  return canonicalJson([
    provider,
    model,
    settings,
    messages.map((message): Json => [message.role, messageText(message), callsIn(message), picturesIn(message)]),
    tools.map(({ name }) => name),
  ]);
}

function answered({ response, text }: ModelStep): string {
  return response ? canonicalJson([messageText(response.message), callsIn(response.message)]) : text;
}

function callsIn(message: ModelStep["request"]["messages"][number]): Json[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part): Json[] => (part.type === "tool-call" ? [[part.toolName, part.arguments]] : []));
}

function picturesIn(message: ModelStep["request"]["messages"][number]): string[] {
  if (message.role !== "user") return [];
  return message.parts.flatMap((part) => (part.type === "image" ? [part.url] : []));
}

function compareNodes(left: RunState, right: RunState): ComparedNode[] {
  const ids = new Set([...Object.keys(left.nodes), ...Object.keys(right.nodes)]);
  return [...ids].flatMap((nodeId): ComparedNode[] => {
    const [a, b] = [left.nodes[nodeId], right.nodes[nodeId]];
    if (a?.output === undefined && b?.output === undefined) return [];
    const same = a?.status === b?.status && sameJson(a?.output, b?.output);
    return [{ nodeId, ...(a ? { left: a } : {}), ...(b ? { right: b } : {}), same }];
  });
}

function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}
