import { caseSchema, type EvaluationCase } from "../../engine/evaluation/suite/evaluation-case.ts";
import { issueText } from "../../engine/evaluation/suite/issue-text.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";

/** A case as it is typed. */
export interface CaseForm {
  id: string;
  input: string;
  /** What is said after the answer: one message a line, or a JSON list. */
  turns: string;
  /** What the user wants that a model plays. */
  goal: string;
  expected: string;
  /** JSON: a list of assertions. */
  assert: string;
}

export type CaseProblems = Partial<Record<keyof CaseForm, string>>;

/** A case in the form; texts as they are, other values as JSON. */
export function formOf(row: EvaluationCase | undefined): CaseForm {
  if (!row) return { id: "", input: "", turns: "", goal: "", expected: "", assert: "" };
  const { id, input, turns = [], user, expected, assert } = row;
  return {
    id,
    // Only a trigger takes a text for a message.
    input: row.start ? jsonText(input) : textOf(input),
    turns: turns.some((turn) => turn.includes("\n")) ? JSON.stringify(turns, null, 2) : turns.join("\n"),
    goal: user?.goal ?? "",
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
  const { assert: _assert, expected, turns: _turns, user, ...kept } = before ?? {};
  const shown = formOf(before);
  // What was not touched stays what it was, also a number, which looks like a text here.
  const expectedNow = expected !== undefined && form.expected === shown.expected ? expected : valueOf(form.expected);
  const turns = turnsOf(form.turns);
  const goal = form.goal.trim();
  const read = caseSchema.safeParse({
    ...kept,
    id: form.id.trim(),
    input: before && form.input === shown.input ? before.input : valueOf(form.input),
    ...(Array.isArray(turns) && turns.length === 0 ? {} : { turns }),
    ...(goal === "" ? {} : { user: { ...user, goal } }),
    ...(form.expected === "" ? {} : { expected: expectedNow }),
    ...(form.assert.trim() === "" ? {} : { assert: assertions }),
  });
  if (read.success && form.input.trim() !== "") return { ok: true, case: read.data };
  const problems: CaseProblems = form.input.trim() === "" ? { input: "A case needs an input." } : {};
  for (const issue of read.success ? [] : read.error.issues) {
    const field = fieldOf(issue.path[0]);
    problems[field] ??= words[field] ?? issueText(issue);
  }
  return { ok: false, problems };
}

const words: CaseProblems = {
  id: "A case needs a name.",
  turns: "Write one message per line, or a JSON list of texts; 50 at most.",
  goal: "A case has further messages or a goal, not both. Clear one of them.",
};

function fieldOf(name: PropertyKey | undefined): keyof CaseForm {
  if (name === "user") return "goal";
  return (["id", "input", "turns", "expected"] as const).find((field) => field === name) ?? "assert";
}

function turnsOf(text: string): Json {
  if (/^\s*\[/.test(text)) return parsed(text) ?? text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function jsonText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
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
