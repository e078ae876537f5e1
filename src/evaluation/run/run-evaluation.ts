import type { AssertionServices } from "../assertions/services.ts";
import { checksNothing, needsJudge, trialAssertions } from "../assertions/trial-assertions.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { Recording } from "../../engine/run/replay/recording.ts";
import { findStart } from "../suite/case-start.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import { type SpendingLimit, watchedLimit } from "../../engine/spending/spending-limit.ts";
import { type Suite, type Variant, variantName } from "../suite/suite.ts";
import { applyVariant } from "./apply-variant.ts";
import { conversationsIn, type SimulatedUser } from "./conversation.ts";
import { openBudget, priceProblems, withoutRoom } from "./evaluation-budget.ts";
import { runTrial } from "./run-trial.ts";
import { trialKey, type TrialResult } from "./trial-result.ts";

/** Services of one trial, and what its judges and simulated user have taken so far in US dollars. */
export interface TrialServices extends Omit<AssertionServices, "host" | "signal"> {
  /** Absent without a model for it. */
  simulatedUser?: SimulatedUser;
  cost(): number | null;
}

/** What an evaluation needs besides its suite. */
export interface EvaluationOptions {
  suite: Suite;
  cases: readonly EvaluationCase[];
  document: WorkflowDocument;
  registry: NodeRegistry;
  /** A host for one trial, whose memories no other trial sees. */
  openHost(): Host;
  vars?: JsonObject | undefined;
  /** The recorded runs of a case, conversation after conversation; trial n is served the n-th. Asked once per case, and only where they are used. */
  recordingsOf?(evaluationCase: EvaluationCase): Promise<readonly Recording[]>;
  /** Judges and embeddings for one trial. */
  openServices?(signal: AbortSignal, spending?: SpendingLimit): TrialServices;
  /** Results of an earlier, unfinished evaluation; their trials are not made again, except for those that did not count. */
  done?: readonly TrialResult[];
  /** Stops the evaluation; trials under way are given up. */
  signal: AbortSignal;
  /** Called after each trial with the events of its runs, one for each message of a conversation, before another one takes its place; awaited, so that it can be stored. */
  onTrial?(result: TrialResult, runs: readonly (readonly RunEvent[])[]): Promise<void> | void;
  redact?: ((text: string) => string) | undefined;
}

/** Why an evaluation ended before all trials were made. */
export interface EvaluationStop {
  by: "cost" | "cancelled" | "error";
  message: string;
}

/** The results of all trials that were made, and how many there should be. */
export interface EvaluationRun {
  results: TrialResult[];
  planned: number;
  stopped?: EvaluationStop;
}

/** The names of the versions that a suite compares; without a matrix, the workflow as it is. */
export function variantNames({ matrix }: Pick<Suite, "matrix">): string[] {
  return matrix.length === 0 ? ["as saved"] : matrix.map(variantName);
}

interface PlannedTrial {
  variant: string;
  document: WorkflowDocument;
  evaluationCase: EvaluationCase;
  trial: number;
  recordings: readonly Recording[];
}

/** What cannot be run at all, in words; empty for nothing. */
export function evaluationProblems({ suite, cases, document, registry }: EvaluationOptions): string[] {
  const problems: string[] = [];
  const versions: { name: string; document: WorkflowDocument }[] = [];
  for (const { name, variant } of variantsOf(suite)) {
    const applied = applyVariant(document, variant, registry);
    if (applied.ok) versions.push({ name: suite.matrix.length > 0 ? name : "", document: applied.document });
    const found = applied.ok
      ? validateWorkflow(applied.document, registry)
          .filter(({ severity }) => severity === "error")
          .map(({ message, hint, nodeId }) => {
            const title = nodeId === undefined ? undefined : applied.document.nodes[nodeId]?.title;
            return `${title === undefined ? "" : `"${title}": `}${message} ${hint}`;
          })
      : [applied.problem];
    problems.push(...found.map((problem) => (suite.matrix.length > 0 ? `${name}: ${problem}` : problem)));
  }
  problems.push(...priceProblems(suite, versions, registry));
  const asserted = cases.flatMap((evaluationCase) => trialAssertions(suite, evaluationCase));
  const judged = asserted.find(needsJudge);
  if (judged && !suite.judge) problems.push(`"${judged.type}" needs a "judge" in the suite.`);
  if (asserted.some(({ type }) => type === "similar" || type === "not-similar") && !suite.embeddings)
    problems.push('"similar" needs "embeddings" in the suite.');
  if (cases.some(({ user }) => user) && !suite.simulatedUser && suite.replay !== "all")
    problems.push('A case has a "user", so the suite needs a "simulatedUser", the model that plays it.');
  return problems;
}

/** What may mislead about a result although it can be run, in words; empty for nothing. */
export function evaluationNotes({
  suite,
  cases,
  document,
  registry,
}: Pick<EvaluationOptions, "suite" | "cases" | "document" | "registry">): string[] {
  const { judge } = suite;
  const own = Object.values(document.nodes).some(
    ({ type, config }) => registry[type]?.role === "model" && judge !== undefined && config.model === judge.model,
  );
  const stale = cases.flatMap(({ id, start }) => {
    const found = start && findStart(start, document);
    return !found || found.ok ? [] : [`"${id}" cannot pass: ${found.problem}`];
  });
  const unchecked = cases.filter((one) => checksNothing(suite, one)).map(({ id }) => `"${id}"`);
  if (unchecked.length > 0) stale.push(uncheckedWords(unchecked));
  const words = `The judge is the agent's own model, ${judge?.model}. A model overlooks its own mistakes: choose another one.`;
  return own ? [words, ...stale] : stale;
}

const mostNamed = 10;

function uncheckedWords(names: readonly string[]): string {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  const [verb, object] = names.length === 1 ? ["checks", "It has"] : ["check", "They have"];
  return `${names.slice(0, mostNamed).join(", ")}${more} ${verb} nothing. ${object} neither an expected answer nor an assertion.`;
}

/**
 * Makes all trials of a suite: every version on every case, `trials` times, `concurrency` at a time. Begins with the first
 * trial of each case, so that a stopped evaluation says something of all of them. Ends early when enough is spent, when
 * stopped, and when a credential is refused. Never rejects but for what `onTrial` and `recordingsOf` throw.
 */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationRun> {
  const { suite, signal, onTrial } = options;
  const planned = await planTrials(options);
  const wanted = new Set(planned.map(keyOf));
  const kept = (options.done ?? []).filter((result) => result.status !== "excluded" && wanted.has(trialKey(result)));
  const done = new Set(kept.map(trialKey));
  const results = [...kept];
  const open = planned.filter((trial) => !done.has(keyOf(trial)));
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  let stopped: EvaluationStop | undefined;
  let next = 0;
  const budget = openBudget(suite, options.done ?? []);
  const stopAtBudget = (maxUsd: number) => {
    const message = `The budget of ${maxUsd} US dollars has no room for another call, so no further trial was made.`;
    stopped ??= { by: "cost", message };
  };

  async function work(): Promise<void> {
    for (let trial = open[next++]; trial && !either.aborted; trial = open[next++]) {
      if (budget && (stopped?.by === "cost" || budget.spentUsd >= budget.maxUsd)) return stopAtBudget(budget.maxUsd);
      const watched = budget && watchedLimit(budget);
      const made = await makeTrial(options, trial, either, watched);
      if (!made.result) return;
      const { runs } = made;
      const result = watched?.hasRefused ? withoutRoom(made.result) : made.result;
      if (budget && watched?.hasRefused) stopAtBudget(budget.maxUsd);
      results.push(result);
      await onTrial?.(result, runs);
      if (result.excludedBy === "invalid_credentials") {
        stopped ??= { by: "error", message: result.reason };
        stopping.abort();
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(suite.concurrency, Math.max(1, open.length)) }, work));
  if (signal.aborted) stopped = { by: "cancelled", message: "The evaluation was stopped." };
  return { results, planned: planned.length, ...(stopped ? { stopped } : {}) };
}

function keyOf({ variant, evaluationCase, trial }: PlannedTrial): string {
  return trialKey({ variant, caseId: evaluationCase.id, trial });
}

async function makeTrial(
  options: EvaluationOptions,
  planned: PlannedTrial,
  signal: AbortSignal,
  spending: SpendingLimit | undefined,
) {
  const { suite, registry, vars, redact } = options;
  const { variant, document, evaluationCase, trial, recordings } = planned;
  const services = options.openServices?.(signal, spending);
  const host = options.openHost();
  return runTrial({
    key: { variant, caseId: evaluationCase.id, trial },
    suite,
    evaluationCase,
    document,
    registry,
    host: spending ? { ...host, spending } : host,
    vars,
    recordings,
    services: services ?? {},
    judgeCost: () => services?.cost() ?? 0,
    signal,
    redact,
  });
}

async function planTrials({
  suite,
  cases,
  document,
  registry,
  recordingsOf,
}: EvaluationOptions): Promise<PlannedTrial[]> {
  const conversations = new Map<string, readonly (readonly Recording[])[]>();
  for (const evaluationCase of cases)
    // A case that begins at a call is served what was before it, however it goes on.
    if (recordingsOf && (suite.replay !== "none" || evaluationCase.start?.call !== undefined))
      conversations.set(evaluationCase.id, conversationsIn(await recordingsOf(evaluationCase), evaluationCase));
  const versions = variantsOf(suite).flatMap(({ name, variant }) => {
    const applied = applyVariant(document, variant, registry);
    return applied.ok ? [{ variant: name, document: frozen(applied.document) }] : [];
  });
  const planned: PlannedTrial[] = [];
  for (let trial = 1; trial <= suite.trials; trial += 1) {
    for (const evaluationCase of cases) {
      const recorded = conversations.get(evaluationCase.id) ?? [];
      // The same recording twice proves nothing more.
      if (suite.replay === "all" && trial > Math.max(1, recorded.length)) continue;
      const recordings = recorded[(trial - 1) % Math.max(1, recorded.length)] ?? [];
      for (const version of versions) planned.push({ ...version, evaluationCase, trial, recordings });
    }
  }
  return planned;
}

/** What stays as it is is planned and checked once for all its runs. */
function frozen(document: WorkflowDocument): WorkflowDocument {
  return Object.freeze({ ...document, nodes: Object.freeze({ ...document.nodes }) });
}

function variantsOf({ matrix }: Suite): { name: string; variant: Variant }[] {
  return matrix.length === 0
    ? [{ name: "as saved", variant: {} }]
    : matrix.map((variant) => ({ name: variantName(variant), variant }));
}
