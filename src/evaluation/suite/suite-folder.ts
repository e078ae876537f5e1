import { cleanForExport, credentialNames } from "../../engine/document/clean-for-export.ts";
import type { TypedSecret } from "../../engine/document/typed-secrets.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import type { RunEvent } from "../../engine/run/events.ts";
import type { SentCase } from "./evaluation-case.ts";

/** What a suite is as files, for `npm run evaluate -- <suite> --replay all`. */
export interface SuiteFolderParts {
  name: string;
  /** As `readSuite` takes them, without workflow and dataset. */
  settings: JsonObject;
  document: WorkflowDocument;
  /** The other workflows that it runs, by id. */
  workflows: Readonly<Record<string, WorkflowDocument>>;
}

/** The documents of a suite as they leave the studio. */
export interface ExportedSuite {
  name: string;
  settings: JsonObject;
  document: WorkflowDocument;
  workflows: readonly WorkflowDocument[];
  /** Secrets that were typed into fields, which stay behind. */
  removed: readonly TypedSecret[];
}

/** A case with its files and what a cassette has of it. */
export interface RecordedCase {
  case: SentCase;
  cassette: readonly RunEvent[];
}

const models = ["judge", "embeddings", "simulatedUser"];

/**
 * A suite as it can be run from its recordings alone: one trial of the workflow as saved for each recording. Recordings answer the same
 * each time and prove no rate, so the gate is left out, and every trial has to pass instead; so are other versions, which nobody
 * recorded. Ids of credentials become names, and no secret leaves.
 */
export function exportedSuite({ name, settings, document, workflows }: SuiteFolderParts): ExportedSuite {
  const credential = credentialNames();
  const own = cleanForExport(document, credential);
  const others = Object.values(workflows).map((other) => cleanForExport(other, credential));
  const { matrix: _matrix, publishing: _publishing, gate: _gate, ...kept } = settings;
  const renamed = Object.entries(kept).map(([key, value]): [string, Json] => [
    key,
    models.includes(key) ? withCredential(value ?? null, credential) : (value ?? null),
  ]);
  return {
    name,
    settings: {
      ...Object.fromEntries(renamed),
      trials: 1,
      onMiss: "fail",
    },
    document: own.document,
    workflows: others.map((other) => other.document),
    removed: [own, ...others].flatMap(({ removed }) => removed),
  };
}

function withCredential(model: Json, name: (id: string) => string): Json {
  if (!isJsonObject(model) || typeof model.credential !== "string" || model.credential === "") return model;
  return { ...model, credential: name(model.credential) };
}

/** The suite's files by their paths; `answers` are those of judges and embeddings by what they were asked. */
export function suiteFolder(
  { name, settings, document, workflows }: ExportedSuite,
  cases: readonly RecordedCase[],
  answers: ReadonlyMap<string, Json>,
): { suite: string; files: Record<string, string> } {
  const suite = `${slugOf(name, "suite")}.suite.json`;
  const places = cases.map((one, index) => ({
    ...one,
    path: `cassettes/${String(index + 1).padStart(3, "0")}-${slugOf(one.case.id, "case")}.jsonl`,
  }));
  const written: JsonObject = {
    name,
    workflow: "workflow.json",
    dataset: "cases.jsonl",
    cassettes: "cassettes",
    ...(workflows.length > 0 ? { workflows: "workflows" } : {}),
    ...settings,
  };
  const files: Record<string, string> = {
    [suite]: pretty(written),
    "cases.jsonl": lines(places.map((one) => ({ ...one.case, cassette: one.path }))),
    "workflow.json": pretty(document),
    "README.md": readme(name, suite),
  };
  for (const [index, other] of workflows.entries())
    files[`workflows/${index + 1}-${slugOf(other.name, "workflow")}.json`] = pretty(other);
  for (const { path, cassette } of places) files[path] = lines(cassette);
  if (answers.size > 0)
    files["cassettes/judgements.jsonl"] = lines([...answers].map(([key, value]) => ({ key, value })));
  return { suite, files };
}

/** A name as part of a path that every file system takes. */
export function slugOf(name: string, otherwise: string): string {
  const slug = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
  return slug === "" ? otherwise : slug;
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

function readme(name: string, suite: string): string {
  return `# ${name}

A test suite of Switchyard with its recorded answers. Run it in Switchyard's folder, without keys and without network:

    npm run --silent evaluate -- path/to/${suite} --replay all

Add \`--junit report.xml\` for CI. The command exits with 0 when every case passes. Exported again, or recorded again with \`--record --credentials keys.json\`,
it follows a changed workflow; the names of credentials in \`workflow.json\` are those that \`keys.json\` has to have.
`;
}
