import { createHash, randomUUID } from "node:crypto";
import { basename, dirname, extname, join, resolve } from "node:path";
import Papa from "papaparse";
import { canonicalJson } from "../../src/engine/canonical-json.ts";
import { readDocument } from "../../src/engine/document/read-document.ts";
import type { WorkflowDocument } from "../../src/engine/document/workflow-document.ts";
import type { KeptFile } from "../../src/engine/in-memory/file-store.ts";
import type { MeasuredVersions } from "../../src/evaluation/result/evaluation.ts";
import {
  type EvaluationCase,
  readCaseLines,
  readCaseList,
  type ReadCases,
  readCaseTable,
} from "../../src/evaluation/suite/evaluation-case.ts";
import { sentBytes } from "../../src/engine/file/sent-file.ts";
import { readSuite, type Suite } from "../../src/evaluation/suite/suite.ts";
import { nodeRegistry } from "../../src/nodes/index.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readJsonFile, readTextFile, userPath } from "../headless/read-file.ts";

/** A suite with what it names; paths are absolute. */
export interface SuiteFiles {
  path: string;
  name: string;
  suite: Suite;
  cases: EvaluationCase[];
  /** The files that came with the cases. */
  given: readonly KeptFile[];
  document: WorkflowDocument;
  /** Hashes of the suite with its cases and of the workflow: results say which ones they measured. */
  versions: MeasuredVersions;
  /** What is worth knowing of the workflow's file. */
  notes: readonly string[];
  /** The file with the recorded runs of a case; undefined where neither case nor suite names one. */
  cassetteOf(evaluationCase: EvaluationCase): string | undefined;
  /** The folder with the other workflows that it runs. */
  workflows: string | undefined;
  /** Where the answers of judges are kept; undefined without a folder of cassettes. */
  judgements: string | undefined;
}

/** Reads a suite, its dataset and its workflow. Throws CommandFailure that names file, line and field. */
export async function readSuiteFiles(file: string): Promise<SuiteFiles> {
  const path = userPath(file);
  const read = readSuite(await readJsonFile(path, "suite"));
  if (!read.ok) throw invalid(`The suite ${path}`, read.problems);
  const { suite } = read;
  const folder = dirname(path);
  const datasetPath = resolve(folder, suite.dataset);
  const dataset = readDataset(datasetPath, await readText(datasetPath, "dataset"));
  if (!dataset.ok) throw invalid(`The dataset ${datasetPath}`, dataset.problems);
  const { cases, given } = withFiles(datasetPath, dataset);
  const workflowPath = resolve(folder, suite.workflow);
  const document = readDocument(await readJsonFile(workflowPath, "workflow file"), nodeRegistry, randomUUID);
  if (!document.ok) {
    const problems = document.problems.map((problem) => `  - ${problem}`).join("\n");
    const hint = "Export it again from the studio, or correct the named places.";
    throw new CommandFailure(`The workflow ${workflowPath} is not valid:\n${problems}`, hint);
  }
  const cassettes = suite.cassettes === undefined ? undefined : resolve(folder, suite.cassettes);
  return {
    path,
    name: suite.name ?? basename(path).replace(/(?:\.suite)?\.json$/, ""),
    suite,
    cases,
    given,
    document: document.document,
    notes: document.notes,
    versions: { suite: hashOf([suite, cases]), workflow: hashOf(document.document) },
    cassetteOf({ id, cassette }) {
      if (cassette !== undefined) return resolve(dirname(datasetPath), cassette);
      return cassettes === undefined ? undefined : join(cassettes, `${encodeURIComponent(id)}.jsonl`);
    },
    workflows: suite.workflows === undefined ? undefined : resolve(folder, suite.workflows),
    judgements: cassettes === undefined ? undefined : join(cassettes, "judgements.jsonl"),
  };
}

/** Enough of a hash to tell versions apart, as Git shows them. */
function hashOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 12)}`;
}

function readDataset(path: string, text: string): ReadCases {
  const kind = extname(path).toLowerCase();
  if (kind === ".json") return readCaseList(text);
  if (kind !== ".csv") return readCaseLines(text);
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { skipEmptyLines: false });
  const broken = errors.filter(({ type }) => type === "Quotes");
  if (broken.length > 0) {
    const problems = broken.map(({ row = 0, message }) => `Row ${row + 1}: ${message}.`);
    return { ok: false, problems };
  }
  return readCaseTable(data);
}

/** Cases with the files that came with them. Throws CommandFailure for bytes that are not those that a case names. */
function withFiles(path: string, { cases, files }: Extract<ReadCases, { ok: true }>) {
  const given: KeptFile[] = [];
  const read = cases.map((one): EvaluationCase => {
    const own = files.get(one.id)?.map((sent): KeptFile => {
      const bytes = sentBytes(sent);
      if (!bytes)
        throw invalid(`The dataset ${path}`, [`The bytes of "${sent.name}" of "${one.id}" do not match its sha256.`]);
      const { base64: _base64, ...file } = sent;
      return { file: { ...file, size: bytes.byteLength }, bytes };
    });
    if (!own) return one;
    given.push(...own);
    return { ...one, files: own.map(({ file }) => file) };
  });
  return { cases: read, given };
}

/** A text file. Throws CommandFailure when it cannot be read; `what` names it for people. */
export async function readText(path: string, what: string): Promise<string> {
  return readTextFile(path).catch((error: unknown) => {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = missing ? "the file does not exist." : error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The ${what} ${path} cannot be read: ${reason}`, "Check the path.");
  });
}

function invalid(what: string, problems: readonly string[]): CommandFailure {
  const shown = problems.slice(0, 20).map((problem) => `  - ${problem}`);
  if (problems.length > shown.length) shown.push(`  … and ${problems.length - shown.length} more`);
  return new CommandFailure(`${what} is not valid:\n${shown.join("\n")}`, "Correct it and run the command again.", 2);
}
