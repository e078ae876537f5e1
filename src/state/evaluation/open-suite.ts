import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import { summarise } from "../../evaluation/result/summarise.ts";
import { digestText } from "../../evaluation/run/digest-text.ts";
import { variantNames } from "../../evaluation/run/run-evaluation.ts";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { readSuite, type Suite } from "../../evaluation/suite/suite.ts";
import { publishedForm } from "../../engine/publish/published-form.ts";
import { sha256 } from "../shared/sha256.ts";
import {
  type EvaluationService,
  type MeasuredWorkflow,
  ServiceError,
  type StoredCase,
  type StoredSuite,
} from "../../services/services.ts";

/** What of the studio opening a suite needs. */
export interface SuiteReader {
  evaluations: Pick<EvaluationService, "get" | "cases">;
  workflows: { get(id: string): Promise<{ document: WorkflowDocument; revision: number }> };
}

/** A stored suite with the version of the workflow that it tries. */
export interface RunnableSuite {
  suite: Suite;
  stored: StoredSuite;
  cases: readonly StoredCase[];
  document: WorkflowDocument;
  /** Which version of the workflow that is. */
  measured: MeasuredWorkflow;
  /** Of what is tried: evaluations with the same one can be gone on with. */
  digest: string;
}

/** A suite as the engine reads it. Throws a ServiceError that names the field. */
export function suiteOf({ name, workflowId, settings }: Pick<StoredSuite, "name" | "workflowId" | "settings">): Suite {
  const read = readSuite({ ...settings, name, workflow: workflowId, dataset: "cases" });
  if (read.ok) return read.suite;
  throw new ServiceError("invalid", read.problems.join(" "), "Correct the settings.");
}

/** Reads what a suite tries, as it is now; like a published version, without pins. Rejects with a ServiceError. */
export async function openSuite(services: SuiteReader, suiteId: string): Promise<RunnableSuite> {
  const [stored, cases] = await Promise.all([services.evaluations.get(suiteId), services.evaluations.cases(suiteId)]);
  const { document, revision } = await services.workflows.get(stored.workflowId);
  const measured = { revision, published: null };
  return runnable({ suite: suiteOf(stored), stored, cases, document: publishedForm(document), measured });
}

/** A suite that tries this version; `workflows` are those that it runs, where they are part of it. */
export function runnable(
  parts: Omit<RunnableSuite, "digest">,
  workflows?: Readonly<Record<string, WorkflowDocument>>,
): RunnableSuite {
  const { suite, cases, document } = parts;
  const kept = cases.map((one) => one.case);
  return { ...parts, digest: sha256(digestText(suite, kept, document, {}, workflows)) };
}

/** How many trials a whole evaluation has. */
export function plannedTrials({ suite, cases }: Pick<RunnableSuite, "suite" | "cases">): number {
  return cases.length * suite.trials * variantNames(suite).length;
}

/** What trials add up to so far, compared with those of another version where there is one. */
export function summaryOf(
  { suite, stored, cases, document }: RunnableSuite,
  results: readonly TrialResult[],
  planned: number,
  baseline?: Evaluation,
): Evaluation {
  const kept = cases.map((one) => one.case);
  return summarise({
    suite,
    name: stored.name,
    workflow: document.name,
    cases: kept,
    run: { results: [...results], planned },
    baseline,
  });
}
