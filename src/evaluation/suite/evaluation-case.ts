import { z } from "zod/mini";
import { jsonValue } from "../../engine/config/json-value.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../engine/json.ts";
import { assertionSchema } from "../assertions/assertion.ts";
import { fileSchema } from "../../engine/file/file.ts";
import { type SentFile, sentFileSchema } from "../../engine/file/sent-file.ts";
import { caseStartSchema } from "./case-start.ts";
import { issueTexts } from "./issue-text.ts";

/** Most messages that follow the first one of a conversation. */
const mostTurns = 50;

const caseFields = {
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  /** What the trigger gets; a text is the message of a chat. */
  input: jsonValue(),
  /** The step that is tried, with `input` as what it gets; the whole workflow when absent. */
  start: z.optional(caseStartSchema),
  /** What is said after the answer, message by message, in the same conversation. Assertions look at all of it. */
  turns: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(mostTurns))),
  /** A model plays the user instead: it says what follows until the goal is reached, or `maxTurns` messages were said. */
  user: z.optional(
    z.strictObject({
      goal: z.string().check(z.minLength(1)),
      maxTurns: z._default(z.int().check(z.minimum(1), z.maximum(mostTurns)), 5),
    }),
  ),
  expected: z.optional(jsonValue()),
  metadata: z.optional(z.record(z.string(), z.json())),
  /** Where untrusted content in the input came from, as the run says that the case was made of. */
  untrusted: z.optional(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(20))),
  /** The run that the case was made of. */
  source: z.optional(z.strictObject({ runId: z.string() })),
  /** File with recorded runs of the case, one event a line; its path starts at the dataset. */
  cassette: z.optional(z.string().check(z.minLength(1))),
  /** Expectations of this case alone, besides those of the suite. */
  assert: z.optional(z.array(assertionSchema)),
};

const caseOf = <Files extends z.ZodMiniType>(files: Files) =>
  z
    .strictObject({
      ...caseFields,
      /** The files that its runs are given; references in `input` are files only where they stand here. */
      files: z.optional(z.array(files).check(z.maxLength(100))),
    })
    .check(
      z.refine(({ turns, user }) => turns === undefined || user === undefined, {
        path: ["user"],
        message: 'A case has "turns" or a "user", not both.',
      }),
      z.refine(({ turns, user, start }) => start === undefined || (turns === undefined && user === undefined), {
        path: ["start"],
        message: 'A case of a step has no "turns" and no "user".',
      }),
    );

/** A case as the studio stores it. */
export const caseSchema = caseOf(fileSchema);

/** A case as datasets and exports hold it. */
export const sentCaseSchema = caseOf(sentFileSchema);

/** One input and what is expected of it. */
export type EvaluationCase = z.infer<typeof caseSchema>;

/** As it leaves the studio and comes back: with the bytes of its files. */
export type SentCase = z.infer<typeof sentCaseSchema>;

/**
 * Cases, or what is wrong, each problem with its line and field. Files that came along stand in `files` by the case's id: a case has them
 * once they are stored.
 */
export type ReadCases =
  | { ok: true; cases: EvaluationCase[]; files: ReadonlyMap<string, readonly SentFile[]> }
  | { ok: false; problems: string[] };

/** Reads a dataset with one JSON object a line; empty lines do not count. */
export function readCaseLines(text: string): ReadCases {
  return collect(
    text.split("\n").flatMap((line, index) => {
      const json = line.replace(/^\uFEFF/, "").trim();
      return json === "" ? [] : [{ place: `Line ${index + 1}`, value: parseJson(json) }];
    }),
  );
}

/** Reads a dataset that is a JSON list of cases. */
export function readCaseList(text: string): ReadCases {
  const list = parseJson(text);
  if (!Array.isArray(list)) return { ok: false, problems: ["The dataset is not a JSON list of cases."] };
  return collect(list.map((value, index) => ({ place: `Case ${index + 1}`, value })));
}

/**
 * Reads a table whose first row names the columns: `id`, `input`, `turns` (a JSON list), `expected`, `cassette`, and `input.<field>` or
 * `metadata.<field>` for parts of those. `input` and `expected` are JSON where they look like it, else text.
 */
export function readCaseTable(rows: readonly (readonly string[])[]): ReadCases {
  const [header = [], ...body] = rows;
  const names = header.map((name) => name.trim());
  const unknown = names.find(
    (name) => name !== "" && !/^(?:id|input|turns|expected|cassette|(?:input|metadata)\..+)$/.test(name),
  );
  if (unknown !== undefined) {
    const known = "id, input, turns, expected, cassette, input.<field>, metadata.<field>";
    return { ok: false, problems: [`The column "${unknown}" is not known. Columns are ${known}.`] };
  }
  if (!names.some((name) => name === "input" || name.startsWith("input."))) {
    return { ok: false, problems: ['There is no column "input" and none that begins with "input.".'] };
  }
  return collect(
    body.flatMap((cells, index) => {
      if (cells.every((cell) => cell.trim() === "")) return [];
      return [{ place: `Row ${index + 2}`, value: caseOfRow(names, cells, index + 1) }];
    }),
  );
}

function caseOfRow(names: readonly string[], cells: readonly string[], number: number): JsonObject {
  const found: JsonObject = { id: `case-${number}` };
  const parts: Record<"input" | "metadata", JsonObject> = { input: {}, metadata: {} };
  for (const [column, name] of names.entries()) {
    const cell = cells[column] ?? "";
    if (cell.trim() === "" || name === "") continue;
    if (name.startsWith("input.")) parts.input[name.slice("input.".length)] = valueOf(cell);
    else if (name.startsWith("metadata.")) parts.metadata[name.slice("metadata.".length)] = valueOf(cell);
    else found[name] = ["input", "turns", "expected"].includes(name) ? valueOf(cell) : cell.trim();
  }
  if (Object.keys(parts.input).length > 0) {
    found["input"] = { ...(isJsonObject(found["input"]) ? found["input"] : {}), ...parts.input };
  }
  return Object.keys(parts.metadata).length > 0 ? { ...found, metadata: parts.metadata } : found;
}

/** A cell that holds an object or a list in JSON is that, anything else is text. */
function valueOf(cell: string): Json {
  const value = /^\s*[[{]/.test(cell) ? parseJson(cell) : undefined;
  return value === undefined ? cell : value;
}

function collect(found: readonly { place: string; value: unknown }[]): ReadCases {
  const cases: EvaluationCase[] = [];
  const problems: string[] = [];
  const places = new Map<string, string>();
  const files = new Map<string, readonly SentFile[]>();
  for (const { place, value } of found) {
    if (value === undefined) {
      problems.push(`${place} is not valid JSON.`);
      continue;
    }
    const read = sentCaseSchema.safeParse(value);
    if (!read.success) {
      problems.push(...issueTexts(sentCaseSchema, value, read.error.issues).map((text) => `${place}, ${text}`));
      continue;
    }
    const { files: sent, ...one } = read.data;
    const before = places.get(one.id);
    if (before !== undefined) problems.push(`${place}, "id": "${one.id}" is taken by ${before.toLowerCase()}.`);
    places.set(one.id, place);
    cases.push(one);
    if (sent) files.set(one.id, sent);
  }
  if (problems.length === 0 && cases.length === 0) problems.push("The dataset has no cases.");
  return problems.length > 0 ? { ok: false, problems } : { ok: true, cases, files };
}
