import type { AssertionServices } from "../assertions/services.ts";
import { trialAssertions } from "../assertions/trial-assertions.ts";
import { type AssertionResult, checkTrial } from "../assertions/check-trial.ts";
import type { TrialView } from "../assertions/trial-view.ts";
import { firstChars } from "../../engine/well-formed.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Host } from "../../engine/host.ts";
import type { JsonObject } from "../../engine/json.ts";
import { addCost } from "../../engine/model/usage.ts";
import { errorText, RunError, type RunErrorCode, type RunErrorData } from "../../engine/errors.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { Recording } from "../../engine/run/replay/recording.ts";
import type { ReplayMiss, ReplayOptions } from "../../engine/run/replay/replay-options.ts";
import { findStart, isCall, startWords } from "../suite/case-start.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import type { Suite } from "../suite/suite.ts";
import { closedHost } from "./closed-host.ts";
import type { SimulatedUser } from "./conversation.ts";
import { converse } from "./converse.ts";
import { isChecked, type TrialKey, type TrialResult } from "./trial-result.ts";
import { viewOfConversation } from "./view-of-conversation.ts";

/** Errors of a vendor or the way to it, which say nothing of the agent. */
const vendorErrors: ReadonlySet<RunErrorCode> = new Set(["rate_limit", "model_error", "invalid_credentials"]);

const mostAnswerChars = 4_000;

const nothingChecked = "Nothing was checked. Fill in what is expected, or add an assertion.";

/** What one trial needs. */
export interface TrialOptions {
  key: TrialKey;
  suite: Suite;
  evaluationCase: EvaluationCase;
  document: WorkflowDocument;
  registry: NodeRegistry;
  /** For this trial alone, with memories of its own. */
  host: Host;
  vars?: JsonObject | undefined;
  /** What the case recorded, one run for each message, where any of it is to be served; else empty. */
  recordings: readonly Recording[];
  services: Omit<AssertionServices, "host" | "signal"> & { simulatedUser?: SimulatedUser };
  /** US dollars that judges have taken for this trial so far. */
  judgeCost(): number | null;
  signal: AbortSignal;
  redact?: ((text: string) => string) | undefined;
}

/** A finished trial with the events of the runs that it made, one for each message; no result when it was stopped. */
export interface FinishedTrial {
  result: TrialResult | undefined;
  runs: RunEvent[][];
}

/** Runs a case once and checks what came of it. Never rejects. */
export async function runTrial(options: TrialOptions): Promise<FinishedTrial> {
  const { key, suite, evaluationCase, document, registry, recordings, signal, redact } = options;
  const isServed = suite.replay !== "none";
  const misses: ReplayMiss[] = [];
  if (isServed && suite.onMiss === "fail" && recordings.length === 0) {
    const reason = "The case has no recording. Record it, or choose replay none.";
    return { result: { ...nothingOf(key), status: "failed", reason }, runs: [] };
  }
  const step = openStep(options);
  if (!step.ok) return { result: { ...nothingOf(key), misses: 0, status: "failed", reason: step.problem }, runs: [] };
  const replay: Omit<ReplayOptions, "recording"> = {
    ...(step.until === undefined ? {} : { until: step.until }),
    serve: suite.replay === "all" ? "exchanges" : suite.replay === "tools" ? "tools" : "nothing",
    onMismatch: suite.onMiss === "fail" ? "stop" : suite.onMiss,
    mayWrite: suite.liveTools,
    onMiss: (miss) => misses.push(miss),
  };
  const isClosed = suite.replay === "all" && suite.onMiss === "fail";
  const host: Host = {
    ...(isClosed ? closedHost(options.host) : options.host),
    ...(suite.approve ? { approve: (request) => Promise.resolve({ approved: true, input: request.input }) } : {}),
  };
  let runs: RunEvent[][] = [];
  try {
    runs = await converse({
      evaluationCase,
      stepId: step.nodeId,
      document,
      registry,
      host,
      vars: options.vars,
      recordings: isServed || step.until !== undefined ? recordings : [],
      replay,
      simulatedUser: options.services.simulatedUser,
      signal,
      redact,
    });
  } catch (error) {
    if (signal.aborted) return { result: undefined, runs };
    const { message, code } = failureOf(error);
    const reason = `The simulated user could not speak: ${message}`;
    return { result: { ...nothingOf(key), status: "excluded", reason, excludedBy: code, misses: 0 }, runs };
  }
  if (signal.aborted) return { result: undefined, runs };

  const ends = runs.map((events) => events.findLast((event) => event.type === "run-end"));
  const end = ends.at(-1);
  const durations = (all: readonly ({ durationMs: number } | undefined)[]) =>
    all.reduce((sum, each) => sum + (each?.durationMs ?? 0), 0);
  const recordedMs = durations(
    recordings.slice(0, runs.length).map(({ events }) => events.findLast((event) => event.type === "run-end")),
  );
  const latencyMs = suite.replay === "all" && recordedMs > 0 ? recordedMs : durations(ends);
  const trial = viewOfConversation(evaluationCase, runs, latencyMs);
  const { costUsd, tokens } = trial;
  const done = (
    rest: Pick<TrialResult, "status" | "score" | "reason" | "assertions" | "excludedBy">,
  ): FinishedTrial => ({
    result: {
      ...key,
      ...rest,
      answer: firstChars(trial.text, mostAnswerChars),
      runId: runs.at(-1)?.[0]?.runId ?? "",
      costUsd,
      spentUsd: ends.reduce<number | null>((sum, each) => addCost(sum, each?.costUsd ?? 0), options.judgeCost()),
      latencyMs,
      tokens,
      misses: misses.length,
    },
    runs,
  });
  const vendor = vendorFailure(runs.at(-1) ?? [], end?.error);
  if (vendor) {
    const reason = `${vendor.message} ${vendor.hint}`;
    return done({ status: "excluded", score: 0, reason, assertions: [], excludedBy: vendor.code });
  }
  const [miss] = misses;
  if (miss && suite.onMiss !== "live") {
    return done({ status: "failed", score: 0, reason: `${miss.message} ${miss.hint}`, assertions: [] });
  }
  try {
    const assertions = await checkAll(options, trial, host);
    if (signal.aborted) return { result: undefined, runs };
    return done({ ...verdictOf(trial, assertions), assertions });
  } catch (error) {
    if (signal.aborted) return { result: undefined, runs };
    const { message, code } = failureOf(error);
    const reason = `It could not be judged: ${message}`;
    return done({ status: "excluded", score: 0, reason, assertions: [], excludedBy: code });
  }
}

type OpenedStep = { ok: true; nodeId?: string; until?: string } | { ok: false; problem: string };

/** The node at which the case begins, and the recorded call until which it is served; nothing for a case of a whole workflow. */
function openStep({ suite, evaluationCase: { start }, document, recordings }: TrialOptions): OpenedStep {
  if (!start) return { ok: true };
  const found = findStart(start, document);
  if (!found.ok || start.call === undefined || suite.replay === "all") return found;
  const call = recordings[0]?.events.filter(isCall)[start.call - 1];
  if (call) return { ...found, until: call.callId };
  const problem = `What was before the step “${startWords(start, document)}” is not recorded. Make the case anew from a run, with its recorded answers.`;
  return { ok: false, problem };
}

async function checkAll(
  { suite, evaluationCase, services, signal }: TrialOptions,
  trial: TrialView,
  host: Host,
): Promise<AssertionResult[]> {
  const results: AssertionResult[] = [];
  for (const assertion of trialAssertions(suite, evaluationCase))
    results.push(await checkTrial(assertion, trial, { ...services, host, signal }));
  return results;
}

function failureOf(error: unknown): { message: string; code: RunErrorCode } {
  if (error instanceof RunError) return { message: error.message, code: error.data.code };
  return { message: error instanceof Error ? error.message : String(error), code: "internal" };
}

/** A vendor's failure that ended the run or one of its nodes, whatever the workflow made of it. */
function vendorFailure(events: readonly RunEvent[], last: RunErrorData | undefined): RunErrorData | undefined {
  if (last && vendorErrors.has(last.code)) return last;
  const failed = events.find((event) => event.type === "node-error" && vendorErrors.has(event.error.code));
  return failed?.type === "node-error" ? failed.error : undefined;
}

/**
 * A trial passes when every assertion with a weight does, and there is one; a run that failed passes only where its end is asserted.
 */
function verdictOf(
  trial: TrialView,
  assertions: readonly AssertionResult[],
): Pick<TrialResult, "status" | "score" | "reason"> {
  const total = assertions.reduce((sum, { weight }) => sum + weight, 0);
  const weighted = assertions.reduce((sum, { score, weight }) => sum + score * weight, 0);
  const failed = assertions.filter(({ pass, weight }) => !pass && weight > 0);
  const reasons = failed.map(({ type, metric, reason }) => `${metric ?? type}: ${reason}`);
  const mayFail = assertions.some(({ type }) => type === "finish-reason");
  if (trial.outcome !== "completed" && !mayFail) {
    const error = trial.error ?? { message: "The run was stopped.", hint: "" };
    reasons.unshift(`The run failed: ${errorText(error)}`);
  }
  if (reasons.length > 0)
    return { status: "failed", score: total > 0 ? weighted / total : 0, reason: reasons.join("\n") };
  if (!isChecked(assertions)) return { status: "unchecked", score: 0, reason: nothingChecked };
  return { status: "passed", score: weighted / total, reason: "" };
}

function nothingOf(key: TrialKey): TrialResult {
  const none = { assertions: [], answer: "", runId: "", costUsd: 0, spentUsd: 0, latencyMs: 0, tokens: 0, misses: 1 };
  return { ...key, ...none, status: "failed", score: 0, reason: "" };
}
