import { cassetteOf, runsInCassette } from "../../evaluation/run/cassette.ts";
import { evaluationProblems, runEvaluation } from "../../evaluation/run/run-evaluation.ts";
import type { TrialResult } from "../../evaluation/run/trial-result.ts";
import { packCase } from "../../evaluation/suite/case-files.ts";
import { createFilePacker } from "../../engine/file/pack-files.ts";
import type { EvaluationCase, SentCase } from "../../evaluation/suite/evaluation-case.ts";
import type { Suite } from "../../evaluation/suite/suite.ts";
import { exportedSuite, type RecordedCase, suiteFolder } from "../../evaluation/suite/suite-folder.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { WorkflowLoader } from "../../engine/host.ts";
import type { Json } from "../../engine/json.ts";
import { bundleWorkflow } from "../../engine/publish/bundle.ts";
import { recordingOf } from "../../engine/run/replay/recording.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { type EvaluationService, ServiceError, type Services } from "../../services/services.ts";
import { sha256 } from "../../state/shared/sha256.ts";
import { fileReader } from "../../state/file/file-bytes.ts";
import { type RunnableSuite, suiteOf } from "../../state/evaluation/open-suite.ts";
import { createWorkflowLoader } from "../../state/document/workflow-loader.ts";
import { evaluationOptions } from "./run-suite.ts";
import { caseCount } from "./suite-text.ts";

/** A suite that was tried from its recordings, ready to be written to files. */
export interface SuiteExport {
  /** Names of cases. */
  passing: string[];
  /** Those that do not pass from their recordings, and why. */
  failing: { caseId: string; reason: string }[];
  unrecorded: string[];
  /** What else is worth knowing. */
  notes: string[];
  /** The files by their paths, those of failing cases among them or not, and the path of the suite. */
  write(withFailing: boolean): { suite: string; files: Record<string, string> };
}

interface ExportServices extends Pick<Services, "createHost"> {
  files: Pick<Services["files"], "open">;
  evaluations: Pick<EvaluationService, "cassette">;
  workflows: Parameters<typeof createWorkflowLoader>[0];
}

interface ExportOptions {
  /** Runs cases without a recording once, live, to record them. */
  records: boolean;
  signal: AbortSignal;
  onProgress(words: string): void;
}

/**
 * Makes the files for `npm run evaluate -- <suite> --replay all`, and tries them in the same way: what is said to pass does so without
 * keys and network. A judge is asked once, and its answers belong to the files. Rejects with a ServiceError.
 */
export async function exportSuite(
  services: ExportServices,
  open: RunnableSuite,
  { records, signal, onProgress }: ExportOptions,
): Promise<SuiteExport> {
  const { stored } = open;
  const others = await otherWorkflows(services, open.document);
  const parts = { name: stored.name, settings: stored.settings, document: open.document, workflows: others };
  const exported = exportedSuite(parts);
  const cassettes = await storedCassettes(services, open);
  const unrecorded = open.cases.filter((row) => !cassettes.has(row.case.id)).map((row) => row.case);
  if (records && unrecorded.length > 0) {
    onProgress(`Recording ${caseCount(unrecorded.length)}`);
    await record(services, open, { cases: unrecorded, cassettes, signal });
  }
  const recorded = open.cases.filter((row) => cassettes.has(row.case.id)).map((row) => row.case);
  const answers = new Map<string, Json>();
  // As in the files, but with the studio's own credentials, which a judge is asked with.
  const suite = suiteOf({ ...stored, settings: { ...exported.settings, ...modelsOf(stored.settings), replay: "all" } });
  const tried = { ...open, suite, document: exported.document };
  const options = await evaluationOptions(services, tried, { signal, attended: false, answers });
  const loader = loaderOf(exported.workflows);
  const offline = {
    ...options,
    cases: recorded,
    openHost: () => ({ ...options.openHost(), workflows: loader }),
    recordingsOf: (one: EvaluationCase) =>
      Promise.resolve(runsInCassette(cassettes.get(one.id) ?? []).map((run) => recordingOf(run))),
  };
  const problems = evaluationProblems(offline);
  if (problems.length > 0)
    throw new ServiceError("invalid", problems.join(" "), "Correct the suite or its workflow, then export it again.");
  let count = 0;
  const { results } = await runEvaluation({
    ...offline,
    onTrial: () => onProgress(`Trying ${(count += 1)} of ${recorded.length} from their recordings`),
  });
  signal.throwIfAborted();
  const packer = createFilePacker(fileReader(services.files, signal));
  const packed: RecordedCase[] = [];
  for (const one of recorded) {
    const cassette = cassettes.get(one.id) ?? [];
    packed.push({ case: await packCase(packer, one, cassette), cassette });
  }
  const failing = failuresOf(recorded, results);
  const passing = recorded.filter(({ id }) => !failing.some(({ caseId }) => caseId === id));
  return {
    passing: passing.map(({ id }) => id),
    failing,
    unrecorded: open.cases.filter((row) => !cassettes.has(row.case.id)).map((row) => row.case.id),
    notes: [...secretNotes(exported.removed.length), ...fileNotes(packer.left)],
    write: (withFailing) => {
      const isKept = ({ id }: SentCase) => withFailing || passing.some((one) => one.id === id);
      return suiteFolder(
        exported,
        packed.filter((one) => isKept(one.case)),
        answers,
      );
    },
  };
}

async function otherWorkflows(
  { workflows }: ExportServices,
  document: WorkflowDocument,
): Promise<Record<string, WorkflowDocument>> {
  const made = await bundleWorkflow(document, {
    registry: nodeRegistry,
    workflows: createWorkflowLoader(workflows),
    sha256,
  });
  if (made.ok) return made.bundle.workflows;
  const said = made.problems.map(({ workflow, message }) => `${workflow.name}: ${message}`).join(" ");
  throw new ServiceError("invalid", said, "Correct the workflow, then export the suite again.");
}

async function storedCassettes(
  { evaluations }: ExportServices,
  { cases }: RunnableSuite,
): Promise<Map<string, RunEvent[]>> {
  const cassettes = new Map<string, RunEvent[]>();
  for (const row of cases) if (row.hasCassette) cassettes.set(row.case.id, await evaluations.cassette(row.id));
  return cassettes;
}

/** Runs cases once as they would be run now; what does not count is not recorded. */
async function record(
  services: ExportServices,
  open: RunnableSuite,
  {
    cases,
    cassettes,
    signal,
  }: { cases: readonly EvaluationCase[]; cassettes: Map<string, RunEvent[]>; signal: AbortSignal },
): Promise<void> {
  const suite: Suite = { ...open.suite, replay: "none", trials: 1, matrix: [] };
  const options = await evaluationOptions(services, { ...open, suite }, { signal, attended: false });
  const problems = evaluationProblems({ ...options, cases });
  if (problems.length > 0)
    throw new ServiceError("invalid", problems.join(" "), "Correct the suite or its workflow, then export it again.");
  await runEvaluation({
    ...options,
    cases,
    onTrial({ caseId, status }, runs) {
      if (status !== "excluded" && runs.length > 0) cassettes.set(caseId, cassetteOf(runs, open.document.privacy));
    },
  });
}

/** The models besides the agent's, by the studio's own credentials. */
function modelsOf({ judge, embeddings, simulatedUser }: RunnableSuite["stored"]["settings"]) {
  return {
    ...(judge === undefined ? {} : { judge }),
    ...(embeddings === undefined ? {} : { embeddings }),
    ...(simulatedUser === undefined ? {} : { simulatedUser }),
  };
}

function loaderOf(workflows: readonly WorkflowDocument[]): WorkflowLoader {
  return {
    load(id) {
      const document = workflows.find((one) => one.id === id);
      if (document) return Promise.resolve({ ok: true, document });
      const hint = "Correct the workflow that runs it.";
      const message = `The workflow "${id}" is not among the exported ones.`;
      return Promise.resolve({ ok: false, error: { code: "invalid_config", message, hint, retryable: false } });
    },
  };
}

function failuresOf(cases: readonly EvaluationCase[], results: readonly TrialResult[]): SuiteExport["failing"] {
  return cases.flatMap(({ id }) => {
    const own = results.filter(({ caseId }) => caseId === id);
    if (own.length > 0 && own.every(({ status }) => status === "passed")) return [];
    const failed = own.find(({ status }) => status !== "passed");
    return [{ caseId: id, reason: failed?.reason ?? "It was not tried." }];
  });
}

function secretNotes(count: number): string[] {
  if (count === 0) return [];
  return [
    "The files leave out what looks like a secret and was typed into the workflow. Keep secrets in a credential instead.",
  ];
}

function fileNotes(left: ReadonlySet<string>): string[] {
  if (left.size === 0) return [];
  return [`Files that were deleted, or for which there is no room, are left out: ${[...left].join(", ")}.`];
}
