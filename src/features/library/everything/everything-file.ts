import { z } from "zod/mini";
import "../../../engine/config/english-issues.ts";
import { jsonProblem } from "../../../engine/document/json-problem.ts";
import { sentCaseSchema } from "../../../evaluation/suite/evaluation-case.ts";
import { isJsonObject, type Json, type JsonObject, readJson } from "../../../engine/json.ts";
import { chunkingSchema } from "../../../engine/knowledge/chunking.ts";
import { cleanForExport } from "../../../engine/document/clean-for-export.ts";
import type { SentWorkflow } from "../pinned-files.ts";

const days = z.nullable(z.int().check(z.minimum(1)));

const fileSchema = z.object({
  format: z.literal("switchyard"),
  version: z.literal(1),
  exportedAt: z.string(),
  /** Read one by one, as imported workflows are. */
  workflows: z.array(z.record(z.string(), z.json())).check(z.maxLength(10_000)),
  suites: z
    .array(
      z.object({
        name: z.string().check(z.minLength(1), z.maxLength(200)),
        workflow: z.string(),
        settings: z.record(z.string(), z.json()),
        cases: z.array(sentCaseSchema).check(z.maxLength(1_000)),
      }),
    )
    .check(z.maxLength(1_000)),
  collections: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().check(z.minLength(1), z.maxLength(200)),
        description: z.string(),
        chunking: chunkingSchema,
      }),
    )
    .check(z.maxLength(1_000)),
  settings: z.object({
    runs: z.object({ keepDays: days, keepRuns: days }),
    conversations: z.object({ keepDays: days }),
  }),
});

/** All that somebody made, but for what is secret, was said, or happened in runs. */
export type Everything = z.infer<typeof fileSchema>;

/** As `Everything`, before secrets are taken out. */
export type Gathered = Omit<Everything, "format" | "version" | "workflows"> & {
  workflows: readonly SentWorkflow[];
};

const limits = { characters: 100_000_000, depth: 80 };

/** The file's text, and in how many workflows texts were left out that look like secrets (S35, S69). */
export function writeEverything(gathered: Gathered): { text: string; cleaned: number } {
  const workflows = gathered.workflows.map(({ files = [], ...whole }) => {
    const { document, removed } = cleanForExport(whole);
    return { document: files.length === 0 ? document : { ...document, files }, removed };
  });
  const suites = gathered.suites.map((suite) => ({ ...suite, settings: withoutCredentialIds(suite.settings) }));
  const documents = workflows.map(({ document }) => document);
  const file = { format: "switchyard", version: 1, ...gathered, workflows: documents, suites };
  return {
    text: `${JSON.stringify(file, null, 1)}\n`,
    cleaned: workflows.filter(({ removed }) => removed.length > 0).length,
  };
}

type ReadFile = { ok: true; file: Everything } | { ok: false; problem: string };

/** Reads such a file. Nothing is run and nothing is requested; never throws. */
export function readEverything(text: string): ReadFile {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    return { ok: false, problem: "The file does not contain JSON." };
  }
  const unfit = jsonProblem(value, limits);
  if (unfit !== undefined) return { ok: false, problem: unfit };
  if (!isJsonObject(value) || value.format !== "switchyard") {
    return {
      ok: false,
      problem: "This is no export of all work. A single workflow is imported on the page Workflows.",
    };
  }
  if (value.version !== 1) {
    return { ok: false, problem: "The file comes from a newer version of Switchyard. Update this one first." };
  }
  const read = fileSchema.safeParse(value);
  if (read.success) return { ok: true, file: read.data };
  const [issue] = read.error.issues;
  return { ok: false, problem: `The file is damaged at ${issue?.path.join(".") ?? "its top"}: ${issue?.message}.` };
}

/** Ids of credentials mean nothing in another account. */
function withoutCredentialIds(value: JsonObject): JsonObject {
  const clean = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(clean);
    return isJsonObject(part) ? withoutCredentialIds(part) : part;
  };
  return Object.fromEntries(
    Object.entries(value).map(([key, part]): [string, Json] => [key, key === "credential" ? "" : clean(part)]),
  );
}
