import { writeFile } from "node:fs/promises";
import { closedHost } from "../../src/evaluation/run/closed-host.ts";
import { type Evaluation, evaluationSchema } from "../../src/evaluation/result/evaluation.ts";
import { toJUnit } from "../../src/evaluation/result/junit.ts";
import { recounted, summarise } from "../../src/evaluation/result/summarise.ts";
import {
  type EvaluationOptions,
  evaluationNotes,
  evaluationProblems,
  runEvaluation,
  variantNames,
} from "../../src/evaluation/run/run-evaluation.ts";
import type { TrialResult } from "../../src/evaluation/run/trial-result.ts";
import type { Suite } from "../../src/evaluation/suite/suite.ts";
import type { RunEvent } from "../../src/engine/run/events.ts";
import { RunError } from "../../src/engine/errors.ts";
import { fileStore } from "../../src/engine/in-memory/file-store.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { createTrialServices } from "../../src/evaluation/run/trial-services.ts";
import { createRedactor } from "../../supabase/functions/_shared/redact.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { noCredentials, readCredentials } from "../headless/credentials-file.ts";
import { withFileLock } from "../headless/file-lock.ts";
import { readKnowledgeFiles } from "../headless/knowledge-files.ts";
import { createNodeHost } from "../headless/node-host.ts";
import { printLine, printNotes } from "../headless/print.ts";
import { readJsonFile, readVariables, userPath } from "../headless/read-file.ts";
import { readPolicy } from "../headless/read-policy.ts";
import { readWorkflowDirectory } from "../headless/workflow-directory.ts";
import type { EvaluateArguments } from "./arguments.ts";
import { openAnswerCache } from "./answer-cache.ts";
import { addToCassette, clearCassettes, keepRecorded, readCassette, recordingPath } from "./cassettes.ts";
import { evaluationDigest, openJournal } from "./journal.ts";
import { readSuiteFiles, type SuiteFiles } from "./suite-files.ts";
import { summaryText } from "./summary.ts";

const exitCodes: Readonly<Record<Evaluation["status"], number>> = {
  passed: 0,
  failed: 1,
  unchecked: 3,
  "too-little-evidence": 3,
  "not-run": 4,
};

/** Runs a suite, writes and prints its result. Resolves to the exit code; throws CommandFailure before the first trial. */
export async function evaluateSuite(options: EvaluateArguments, signal: AbortSignal): Promise<number> {
  const read = await readSuiteFiles(options.suite);
  const files = { ...read, suite: suiteFor(read.suite, options) };
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const base = options.out === undefined ? files.path.replace(/\.json$/, "") : userPath(options.out);
  const journalPath = `${base}.trials.jsonl`;
  return withFileLock(journalPath, () => evaluate(options, files, { baseline, journalPath, signal })).catch(
    (error: unknown) => {
      if (error instanceof CommandFailure || !(error instanceof Error) || !error.message.includes("delete"))
        throw error;
      throw new CommandFailure(
        `The suite is being evaluated already: ${error.message}`,
        "Wait for it, or name another --out.",
      );
    },
  );
}

interface Surroundings {
  baseline: Evaluation | undefined;
  journalPath: string;
  signal: AbortSignal;
}

async function evaluate(
  options: EvaluateArguments,
  files: SuiteFiles,
  { baseline, journalPath, signal }: Surroundings,
): Promise<number> {
  const { suite, cases, document, name } = files;
  const vars = options.vars === undefined ? {} : await readVariables(options.vars);
  const { openHost, redact, openServices } = await openWorld(options, files);
  const evaluation: EvaluationOptions = {
    suite,
    cases,
    document,
    registry: nodeRegistry,
    openHost,
    openServices,
    vars,
    redact,
    signal,
    async recordingsOf(evaluationCase) {
      const path = files.cassetteOf(evaluationCase);
      return path === undefined ? [] : readCassette(path);
    },
  };
  const problems = evaluationProblems(evaluation);
  if (problems.length > 0) {
    const list = problems.map((problem) => `  - ${problem}`).join("\n");
    throw new CommandFailure(`The suite cannot run:\n${list}`, "Correct the suite or the workflow.");
  }
  await printNotes(files.notes);
  for (const note of evaluationNotes(evaluation)) await printLine(note, process.stderr);
  const journal = await openJournal(journalPath, evaluationDigest(files, vars), options.fresh);
  const { done } = journal;
  if (done.length > 0) {
    const words = `Going on with ${done.length} finished trials of an evaluation that was broken off (--fresh begins anew).`;
    await printLine(words, process.stderr);
  } else if (options.record) await clearCassettes(files);
  const progress = createProgress(suite, cases.length);
  const run = await runEvaluation({
    ...evaluation,
    done,
    async onTrial(result, runs) {
      await journal.add(result);
      if (options.record) await record(files, result, runs);
      progress.tell(result);
    },
  });
  progress.end();
  if (options.record && !run.stopped) await keepRecorded(files);
  const summary = summarise({ suite, name, workflow: document.name, versions: files.versions, cases, run, baseline });
  if (baseline?.measured !== undefined && baseline.measured.suite !== files.versions.suite)
    await printLine("The baseline was measured with another version of the suite.", process.stderr);
  await writeResult(options, summary);
  await printLine(options.json ? JSON.stringify(summary) : summaryText(summary, suite));
  // What was stopped can be gone on with.
  if (!run.stopped) await journal.remove();
  return exitCodes[summary.status];
}

/** The suite with what the command line says instead. */
function suiteFor(suite: Suite, { trials, model, replay, onMiss, record }: EvaluateArguments): Suite {
  const changed: Suite = {
    ...suite,
    ...(trials === undefined ? {} : { trials }),
    ...(model === undefined ? {} : { matrix: [model] }),
    ...(replay === undefined ? {} : { replay }),
    ...(onMiss === undefined ? {} : { onMiss }),
  };
  if (record && changed.replay === "all")
    throw new CommandFailure("--record and --replay all exclude each other.", "Record with --replay none.", 2);
  // Nobody is there to be asked.
  return changed.onMiss === "ask" ? { ...changed, onMiss: "fail" } : changed;
}

/** What all trials share: credentials and what they open. Every trial has conversations of its own. */
async function openWorld(options: EvaluateArguments, { suite, judgements, workflows: own, given }: SuiteFiles) {
  const policy = await readPolicy(options.allowHosts);
  const credentials = options.credentials
    ? await readCredentials(options.credentials, options.allowHosts)
    : noCredentials;
  const workflows = await readWorkflowDirectory(options.workflows ?? own);
  const knowledge = await readKnowledgeFiles(options.knowledge);
  const openHost = () => {
    const files = fileStore({ given });
    return createNodeHost({ credentials, policy, approve: suite.approve, workflows, knowledge, files });
  };
  const isOffline = suite.replay === "all" && suite.onMiss === "fail";
  const cache = await openAnswerCache(judgements, options.record);
  const host = isOffline ? closedHost(openHost()) : openHost();
  const openServices = await createTrialServices({ suite, host, cache }).catch((error: unknown) => {
    throw error instanceof RunError ? new CommandFailure(error.message, error.data.hint, 2) : error;
  });
  const redact = credentials.secrets.length > 0 ? createRedactor(credentials.secrets).text : undefined;
  return { openHost, openServices, redact };
}

/** Runs of the first version are recorded; those that do not count hold nothing worth serving. */
async function record(files: SuiteFiles, result: TrialResult, runs: readonly (readonly RunEvent[])[]): Promise<void> {
  const { suite, cases, document } = files;
  if (result.status === "excluded" || result.variant !== variantNames(suite)[0]) return;
  const evaluationCase = cases.find(({ id }) => id === result.caseId);
  const path = evaluationCase && files.cassetteOf(evaluationCase);
  if (evaluationCase && path !== undefined)
    await addToCassette(recordingPath(evaluationCase, path), runs, document.privacy);
}

async function readBaseline(given: string): Promise<Evaluation> {
  const read = evaluationSchema.safeParse(await readJsonFile(given, "baseline"));
  if (read.success) return recounted(read.data);
  throw new CommandFailure(
    `The baseline ${userPath(given)} is not a result of this command.`,
    "Write one with --out.",
    2,
  );
}

async function writeResult({ out, junit }: EvaluateArguments, summary: Evaluation): Promise<void> {
  const write = (path: string, content: string) =>
    writeFile(userPath(path), content).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CommandFailure(`The result cannot be written to ${userPath(path)}: ${reason}`, "Check the path.");
    });
  if (out !== undefined) await write(out, `${JSON.stringify(summary, null, 2)}\n`);
  if (junit !== undefined) await write(junit, toJUnit(summary));
}

/** One line that follows the trials, where a person watches. */
function createProgress(suite: Suite, cases: number) {
  const total = cases * suite.trials * variantNames(suite).length;
  let [made, passed, spent] = [0, 0, 0];
  const isWatched = process.stderr.isTTY;
  return {
    tell({ status, spentUsd }: TrialResult) {
      made += 1;
      if (status === "passed") passed += 1;
      spent += spentUsd ?? 0;
      if (isWatched)
        process.stderr.write(`\r${made} of up to ${total} trials, ${passed} passed, $${spent.toFixed(4)} `);
    },
    end() {
      if (isWatched && made > 0) process.stderr.write("\n");
    },
  };
}
