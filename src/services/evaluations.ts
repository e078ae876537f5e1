import type { Evaluation } from "../evaluation/result/evaluation.ts";
import type { TrialResult } from "../evaluation/run/trial-result.ts";
import type { EvaluationCase } from "../evaluation/suite/evaluation-case.ts";
import type { JsonObject } from "../engine/json.ts";
import type { RunEvent } from "../engine/run/events.ts";

/** A suite in a list. */
export interface SuiteSummary {
  id: string;
  name: string;
  workflowId: string;
  workflowName: string;
  cases: number;
  /** Of its last evaluation; null before the first. */
  lastStatus: EvaluationStatus | null;
  lastAt: string | null;
}

/** `running` may also be one whose tab went away. */
export type EvaluationStatus = Evaluation["status"] | "running";

/** A suite; `settings` as `readSuite` takes them, without workflow and dataset. */
export interface StoredSuite {
  id: string;
  name: string;
  workflowId: string;
  settings: JsonObject;
  /** Goes up with each change of the suite or of one of its cases. */
  revision: number;
}

/** A suite as it was when it was run, or when a version of its workflow was kept or published. Versions never change. */
export interface SuiteVersion {
  /** Counts from 1. */
  version: number;
  /** The suite's, of which this is the state. */
  revision: number;
  cases: number;
  /** ISO 8601. */
  createdAt: string;
}

/** What a version of a suite holds; its recordings stay with the cases. */
export interface SuiteContent extends Pick<StoredSuite, "name" | "settings"> {
  cases: EvaluationCase[];
}

/** A suite, as a version of its workflow remembers it. */
export interface RememberedSuite {
  id: string;
  /** What it was called then. */
  name: string;
  version: number;
  /** The suite's, of which the version is the state. */
  revision: number;
}

/** A workflow that is measured: as it was saved, or as it was published; neither for one that was only proposed. */
export interface MeasuredWorkflow {
  revision: number | null;
  published: number | null;
}

/** A case; `id` is the row's, `case.id` what results call it. */
export interface StoredCase {
  id: string;
  case: EvaluationCase;
  hasCassette: boolean;
}

/** An evaluation; its trials are read by themselves. */
export interface StoredEvaluation {
  id: string;
  /** Of what was tried; an unfinished one of the same can be gone on with. */
  digest: string;
  /** What it measures; `suite` is the number of a version, null where the evaluation is older than versions are. */
  measured: { suite: number | null; workflow: MeasuredWorkflow };
  status: EvaluationStatus;
  summary: Omit<Evaluation, "trials"> | null;
  /** ISO 8601. */
  createdAt: string;
}

/** Suites, cases and results of the account. */
export interface EvaluationService {
  /** The latest change first. */
  list(): Promise<SuiteSummary[]>;
  /** Those of one workflow, by name. */
  ofWorkflow(workflowId: string): Promise<StoredSuite[]>;
  /** Rejects with `not-found` when there is none. */
  get(suiteId: string): Promise<StoredSuite>;
  create(suite: Pick<StoredSuite, "name" | "workflowId" | "settings">): Promise<StoredSuite>;
  save(suiteId: string, changes: Partial<Pick<StoredSuite, "name" | "settings">>): Promise<void>;
  remove(suiteId: string): Promise<void>;
  /** Suites whose results an update may have changed: it compares expected answers, and counts nothing as passed that nothing checked. */
  changedByUpdate(): Promise<Pick<StoredSuite, "id" | "name">[]>;
  /** Their owner has seen them: they are not named again. */
  settleUpdate(): Promise<void>;
  /** In the order in which they were added. */
  cases(suiteId: string): Promise<StoredCase[]>;
  /** Rejects with `conflict` when the suite has a case of that id. */
  addCases(suiteId: string, cases: readonly { case: EvaluationCase; cassette?: readonly RunEvent[] }[]): Promise<void>;
  saveCase(caseId: string, changed: EvaluationCase): Promise<void>;
  /** A version that has the case keeps it, with its recording. */
  removeCase(caseId: string): Promise<void>;
  /** The recorded run of a case; empty without one. */
  cassette(caseId: string): Promise<RunEvent[]>;
  /** The last hundred, and those that published versions name; the newest first. */
  versions(suiteId: string): Promise<SuiteVersion[]>;
  /** Rejects with `not-found` when the version is no longer kept. */
  version(suiteId: string, version: number): Promise<SuiteContent>;
  /** Puts the suite back as it was, recordings included; gives the version that keeps how it stood before. */
  restoreVersion(suiteId: string, version: number): Promise<number>;
  removeVersion(suiteId: string, version: number): Promise<void>;
  /** Keeps the suite as a version and begins an evaluation of it. Rejects with `conflict` when it is no longer as it was read. */
  begin(
    suite: Pick<StoredSuite, "id" | "revision">,
    digest: string,
    workflow: MeasuredWorkflow,
  ): Promise<StoredEvaluation>;
  /** Stores one finished trial; the same one again takes its place. */
  addTrial(evaluationId: string, result: TrialResult): Promise<void>;
  finish(evaluationId: string, summary: Omit<Evaluation, "trials">): Promise<void>;
  /** The newest first. */
  evaluations(suiteId: string, limit: number): Promise<StoredEvaluation[]>;
  trials(evaluationId: string): Promise<TrialResult[]>;
}
