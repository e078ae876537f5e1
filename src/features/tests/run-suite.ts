import { createTrialServices } from "../../evaluation/run/trial-services.ts";
import { createStore } from "zustand/vanilla";
import { runsInCassette } from "../../evaluation/run/cassette.ts";
import { summarise } from "../../evaluation/result/summarise.ts";
import { type EvaluationOptions, evaluationProblems, runEvaluation } from "../../evaluation/run/run-evaluation.ts";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { type ApprovalDecision, type ApprovalRequest, type Host, nobodyApproves } from "../../engine/host.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import { memoryStore } from "../../engine/in-memory/memory-store.ts";
import { vectorStore } from "../../engine/in-memory/vector-store.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { openSuite, plannedTrials, type RunnableSuite, type SuiteReader } from "../../state/evaluation/open-suite.ts";
import { newId } from "../../state/shared/new-id.ts";
import type { RecorderOptions } from "../../state/run/run-recorder.ts";
import { measuredWords } from "./suite-text.ts";
import { storeRun } from "../../state/run/store-run.ts";
import { type EvaluationService, ServiceError, type Services } from "../../services/services.ts";

/** An evaluation that runs in this tab. */
export interface SuiteRun {
  evaluationId: string;
  planned: number;
  /** Finished trials, those of before included. */
  results: readonly TrialResult[];
  /** How long the rest is likely to take, in milliseconds; absent before the first trial. */
  restMs?: number;
  stopping: boolean;
  /** Tool calls that a person decides about, oldest first. */
  asks: readonly Ask[];
  stop(): void;
}

/** A tool call of a trial that waits for a person. */
export interface Ask {
  /** Unique among the run's. */
  id: string;
  toolName: string;
  input: JsonObject;
  /** Makes the call, or does not. */
  decide(isMade: boolean): void;
}

/** Evaluations under way in this tab, by suite: they go on when the page is left. */
export const suiteRuns = createStore<{ runs: Readonly<Record<string, SuiteRun>> }>(() => ({ runs: {} }));

/** Suites that run, or are about to, in this tab. */
const underWay = new Set<string>();

/** Whether the suite runs in this tab, or is about to. */
export const isUnderWay = (suiteId: string): boolean => underWay.has(suiteId);

/** So that no second run begins while the first one is still being prepared. */
async function holding(suiteId: string, work: () => Promise<void>): Promise<void> {
  underWay.add(suiteId);
  try {
    await work();
  } finally {
    underWay.delete(suiteId);
  }
}

function change(suiteId: string, run: SuiteRun | undefined): void {
  suiteRuns.setState(({ runs }) => {
    const { [suiteId]: _before, ...others } = runs;
    return { runs: run ? { ...others, [suiteId]: run } : others };
  });
}

/** What of the studio running a suite needs. */
export interface SuiteServices extends Pick<Services, "createHost">, SuiteReader {
  evaluations: SuiteReader["evaluations"] &
    Pick<EvaluationService, "cassette" | "begin" | "addTrial" | "finish" | "evaluations" | "trials">;
  runs: RecorderOptions["repository"];
}

interface HowToRun {
  /** Goes on with the last evaluation where that tried the same and was left. */
  resume: boolean;
  /** Somebody looks on, who decides about calls that a suite with `onMiss: "ask"` has no recording of; else they fail. */
  attended?: boolean;
  /** Awaited once the result is stored, while the run is still shown: whoever shows results reads them anew. */
  onStored?(): Promise<unknown>;
}

/** Runs a suite on its workflow as that is now; see `runVersion`. Does nothing while the suite runs already. */
export async function runSuite(services: SuiteServices, suiteId: string, how: HowToRun): Promise<void> {
  if (isUnderWay(suiteId)) return;
  await holding(suiteId, async () => evaluate(services, await openSuite(services, suiteId), how));
}

/**
 * Runs a suite in this tab, or goes on with its last evaluation where that was left. Each finished trial is stored before the next
 * one begins in its place. Resolves when it is over or was stopped; rejects with a ServiceError, also where the suite runs already;
 * what was finished is kept then.
 */
export async function runVersion(services: SuiteServices, version: RunnableSuite, how: HowToRun): Promise<void> {
  const { id, name } = version.stored;
  if (isUnderWay(id))
    throw new ServiceError("conflict", `The suite “${name}” is already running.`, "Try again once it has finished.");
  await holding(id, () => evaluate(services, version, how));
}

async function evaluate(
  services: SuiteServices,
  version: RunnableSuite,
  { resume, attended = false, onStored }: HowToRun,
): Promise<void> {
  const { suite, stored, digest } = version;
  const suiteId = stored.id;
  const controller = new AbortController();
  const options = await evaluationOptions(services, version, { signal: controller.signal, attended });
  if (options.cases.length === 0)
    throw new ServiceError("invalid", "The suite has no cases.", "Add one, or save a run as a test case.");
  const problems = evaluationProblems(options);
  if (problems.length > 0)
    throw new ServiceError("invalid", problems.join(" "), "Correct the suite or its workflow, then run it again.");
  const [last] = resume ? await services.evaluations.evaluations(suiteId, 1) : [];
  const open = last && last.digest === digest && last.summary === null ? last : undefined;
  const evaluation = open ?? (await services.evaluations.begin(stored, digest, version.measured));
  const done = open ? await services.evaluations.trials(open.id) : [];
  const startedAt = Date.now();
  const run: SuiteRun = {
    evaluationId: evaluation.id,
    planned: plannedTrials(version),
    results: done,
    stopping: false,
    asks: [],
    stop() {
      const now = suiteRuns.getState().runs[suiteId];
      if (now) change(suiteId, { ...now, stopping: true });
      controller.abort();
    },
  };
  change(suiteId, run);
  try {
    const made = await runEvaluation({
      ...options,
      done,
      async onTrial(result, runs) {
        await services.evaluations.addTrial(evaluation.id, result);
        for (const events of runs)
          storeRun(
            services.runs,
            { workflowId: stored.workflowId, document: options.document, registry: nodeRegistry, isTrial: true },
            events,
          );
        const now = suiteRuns.getState().runs[suiteId] ?? run;
        const results = [...now.results, result];
        const each = (Date.now() - startedAt) / (results.length - done.length);
        change(suiteId, { ...now, results, restMs: each * Math.max(0, run.planned - results.length) });
      },
    });
    // Stopped by hand it stays open, to be gone on with.
    if (made.stopped?.by !== "cancelled") {
      const { name } = stored;
      const { trials: _trials, ...summary } = summarise({
        suite,
        name,
        workflow: options.document.name,
        versions: measuredWords(evaluation.measured),
        cases: options.cases,
        run: made,
      });
      await services.evaluations.finish(evaluation.id, summary);
    }
  } finally {
    await onStored?.();
    change(suiteId, undefined);
  }
}

interface EvaluationSurroundings {
  signal: AbortSignal;
  /** Whether a person can be asked about calls that are not recorded. */
  attended: boolean;
  /** Gets the answers of judges and embeddings by what they were asked. */
  answers?: Map<string, Json>;
}

/** What the studio gives to the evaluation of a suite. Rejects with a RunError for a model provider that there is not. */
export async function evaluationOptions(
  services: Pick<SuiteServices, "createHost"> & { evaluations: Pick<EvaluationService, "cassette"> },
  { suite, stored, cases, document }: Pick<RunnableSuite, "suite" | "stored" | "cases" | "document">,
  { signal, attended, answers = new Map() }: EvaluationSurroundings,
): Promise<EvaluationOptions> {
  const asks = attended && suite.onMiss === "ask";
  const studioHost = services.createHost({ workflowId: stored.workflowId, approve: nobodyApproves });
  const openHost = () => ({
    ...hostOfTrial(studioHost),
    ...(asks ? { approve: (request: ApprovalRequest) => ask(stored.id, request, signal) } : {}),
  });
  const judged = [suite.judge, suite.embeddings, suite.simulatedUser].some((model) => model !== undefined);
  const openServices = judged
    ? await createTrialServices({
        suite,
        host: openHost(),
        cache: { get: (key) => answers.get(key), set: (key, value) => void answers.set(key, value) },
      })
    : undefined;
  return {
    // Where nobody looks on, nobody can be asked.
    suite: suite.onMiss === "ask" && !asks ? { ...suite, onMiss: "fail" } : suite,
    cases: cases.map((one) => one.case),
    document,
    registry: nodeRegistry,
    openHost,
    ...(openServices ? { openServices } : {}),
    signal,
    async recordingsOf(evaluationCase) {
      const row = cases.find((one) => one.case.id === evaluationCase.id);
      const events = row?.hasCassette ? await services.evaluations.cassette(row.id) : [];
      return runsInCassette(events).map((run) => recordingOf(run));
    },
  };
}

/** Has the page ask; a run that is stopped is not waited for. */
function ask(
  suiteId: string,
  { callId, toolName, input }: ApprovalRequest,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  return new Promise((resolve, reject) => {
    const id = `${callId} ${newId()}`;
    const withdraw = () => {
      const run = suiteRuns.getState().runs[suiteId];
      if (run) change(suiteId, { ...run, asks: run.asks.filter((other) => other.id !== id) });
    };
    const decide = (isMade: boolean) => {
      withdraw();
      resolve(isMade ? { approved: true, input } : { approved: false, reason: "The tester said no." });
    };
    signal.addEventListener("abort", () => reject(new Error("The evaluation was stopped.")), { once: true });
    const run = suiteRuns.getState().runs[suiteId];
    if (run) change(suiteId, { ...run, asks: [...run.asks, { id, toolName, input, decide }] });
  });
}

/** The studio's host with conversations of its own, which begin empty. */
function hostOfTrial(studioHost: Host): Host {
  const messages = memoryStore(Date.now);
  return {
    ...studioHost,
    approve: nobodyApproves,
    messages,
    encryptedMessages: messages,
    tab: memoryStore(Date.now),
    vectors: vectorStore(messages),
  };
}
