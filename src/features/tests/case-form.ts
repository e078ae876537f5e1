import { caseSchema, type EvaluationCase } from "../../engine/evaluation/suite/evaluation-case.ts";
import { issueWords } from "../../engine/evaluation/suite/issue-words.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";

/** A case as it is typed. */
export interface CaseForm {
  id: string;
  input: string;
  expected: string;
  /** JSON: a list of assertions. */
  assert: string;
}

export type CaseProblems = Partial<Record<keyof CaseForm, string>>;

/** A case in the form; texts as they are, other values as JSON. */
export function formOf(row: EvaluationCase | undefined): CaseForm {
  if (!row) return { id: "", input: "", expected: "", assert: "" };
  const { id, input, expected, assert } = row;
  return {
    id,
    input: textOf(input),
    expected: expected === undefined ? "" : textOf(expected),
    assert: assert === undefined || assert.length === 0 ? "" : JSON.stringify(assert, null, 2),
  };
}

/** The typed case, or what is wrong by field. What the form does not show stays as it was. */
export function readCaseForm(
  form: CaseForm,
  before?: EvaluationCase,
): { ok: true; case: EvaluationCase } | { ok: false; problems: CaseProblems } {
  const assertions = form.assert.trim() === "" ? [] : parsed(form.assert);
  if (assertions === undefined) return { ok: false, problems: { assert: "This is not valid JSON." } };
  const { assert: _assert, expected: _expected, ...kept } = before ?? {};
  const read = caseSchema.safeParse({
    ...kept,
    id: form.id.trim(),
    input: valueOf(form.input),
    ...(form.expected === "" ? {} : { expected: valueOf(form.expected) }),
    ...(form.assert.trim() === "" ? {} : { assert: assertions }),
  });
  if (read.success && form.input.trim() !== "") return { ok: true, case: read.data };
  const problems: CaseProblems = form.input.trim() === "" ? { input: "A case needs an input." } : {};
  for (const issue of read.success ? [] : read.error.issues) {
    const field = (["id", "input", "expected", "assert"] as const).find((name) => name === issue.path[0]);
    problems[field ?? "assert"] ??= field === "id" ? "A case needs a name." : issueWords(issue);
  }
  return { ok: false, problems };
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  // What only says a message is written as one.
  if (isJsonObject(value) && typeof value.message === "string" && Object.keys(value).length === 1) return value.message;
  return JSON.stringify(value, null, 2);
}

/** Objects and lists in JSON are those; anything else is text. */
function valueOf(text: string): Json {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  return value ?? text;
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
