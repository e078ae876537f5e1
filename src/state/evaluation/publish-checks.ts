import { canonicalJson } from "../../engine/canonical-json.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import type { Bundle } from "../../engine/publish/bundle.ts";
import type { PublishTestsState } from "../publication/publish-tests.ts";
import type { EvaluationService, PublicationRepository } from "../../services/services.ts";
import { openSuite, plannedTrials, type RunnableSuite, runnable, type SuiteReader, summaryOf } from "./open-suite.ts";

/** What of the studio reading the tests of a version needs. */
export interface PublishCheckReader extends SuiteReader {
  evaluations: SuiteReader["evaluations"] & Pick<EvaluationService, "ofWorkflow" | "evaluations" | "trials">;
  publications: Pick<PublicationRepository, "document">;
}

/** One suite of a version that is to be published. */
export interface PublishCheck {
  /** The suite on that version. */
  version: RunnableSuite;
  /** The suite on the live version, where the two are to be compared. */
  live?: RunnableSuite;
  /** Whether a failure keeps the version from being published. */
  blocks: boolean;
  /** What is known of exactly this version; absent before it was tested. */
  result?: Evaluation;
}

/** The suites that are run before a version is published, with what is known of them. Rejects with a ServiceError. */
export async function readPublishChecks(
  services: PublishCheckReader,
  bundle: Bundle,
  live: number | null,
): Promise<PublishCheck[]> {
  const workflowId = bundle.document.id;
  const suites = await services.evaluations.ofWorkflow(workflowId);
  const opened = await Promise.all(suites.map(({ id }) => openSuite(services, id)));
  const used = opened.filter(({ suite, cases }) => suite.publishing !== "off" && cases.length > 0);
  const compares = used.some(({ suite }) => suite.gate?.noWorse === true);
  const before = compares && live !== null ? await services.publications.document(workflowId, live) : undefined;
  return Promise.all(used.map((open) => checkOf(services, open, bundle, before, live)));
}

async function checkOf(
  services: PublishCheckReader,
  open: RunnableSuite,
  bundle: Bundle,
  before: WorkflowDocument | undefined,
  liveVersion: number | null,
): Promise<PublishCheck> {
  // What is published is the workflow as saved, not the models that a matrix puts in its place.
  const parts = { ...open, suite: { ...open.suite, matrix: [] } };
  const isSaved = canonicalJson(open.document) === canonicalJson(bundle.document);
  const measured = isSaved ? open.measured : { revision: null, published: null };
  const version = runnable({ ...parts, document: bundle.document, measured }, bundle.workflows);
  const live =
    before !== undefined && open.suite.gate?.noWorse === true
      ? runnable(
          {
            ...parts,
            document: { ...before, id: bundle.document.id },
            measured: { revision: null, published: liveVersion },
          },
          bundle.workflows,
        )
      : undefined;
  const baseline = live ? await resultOf(services, live) : undefined;
  const isComparable = live === undefined || baseline !== undefined;
  const result = isComparable ? await resultOf(services, version, baseline) : undefined;
  return {
    version,
    blocks: open.suite.publishing === "block",
    ...(live ? { live } : {}),
    ...(result ? { result } : {}),
  };
}

/** How many of a suite's last evaluations are looked through for one of the same version. */
const looked = 50;

/** What the last whole evaluation of exactly this version shows, by what the suite asks for now. */
export async function resultOf(
  { evaluations }: PublishCheckReader,
  version: RunnableSuite,
  baseline?: Evaluation,
): Promise<Evaluation | undefined> {
  const stored = await evaluations.evaluations(version.stored.id, looked);
  const last = stored.find(({ digest, summary }) => digest === version.digest && summary !== null);
  if (!last?.summary) return undefined;
  const { planned, stopped } = last.summary;
  const trials = await evaluations.trials(last.id);
  // A recording answers as often as it was made, however many trials there should be.
  const isWhole = version.suite.replay === "all" || trials.length >= plannedTrials(version) || stopped?.by === "cost";
  if (!isWhole && stopped?.by !== "error") return undefined;
  const result = summaryOf(version, trials, planned, baseline);
  return stopped?.by === "error" ? { ...result, stopped, status: "not-run" } : result;
}

/** Where publishing stands with these suites. */
export function publishState(checks: readonly PublishCheck[]): Exclude<PublishTestsState, "checking" | "running"> {
  const failed = checks.filter(({ result }) => result !== undefined && result.status !== "passed");
  if (failed.some(({ blocks }) => blocks)) return "blocked";
  if (checks.some(({ result }) => result === undefined)) return "to-run";
  return failed.length > 0 ? "failed" : "passed";
}
