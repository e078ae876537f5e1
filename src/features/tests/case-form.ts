import type { Assertion } from "../../evaluation/assertions/assertion.ts";
import { caseSchema, type EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import { issueText } from "../../evaluation/suite/issue-text.ts";
import { isJsonObject, type Json, parseJson } from "../../engine/json.ts";
import { assertionOf, type CheckRow, rowOf } from "./check-rows.ts";
import { choiceOf, comparisonAssertion, type ComparisonChoice, impliedChoice } from "./expected-comparison.ts";

/** A case as it is typed. */
export interface CaseForm {
  id: string;
  input: string;
  /** What is said after the answer: one message a line, or a JSON list. */
  turns: string;
  /** What the user wants that a model plays. */
  goal: string;
  expected: string;
  /** How the answer is compared with it. */
  comparison: ComparisonChoice;
  checks: readonly CheckRow[];
  /** JSON: a list of the assertions that are no rows. */
  assert: string;
}

/** What is wrong, by field; of rows by their keys. */
export interface CaseProblems extends Partial<Record<Exclude<keyof CaseForm, "checks" | "comparison">, string>> {
  checks?: Readonly<Record<string, string>>;
}

/** A case in the form; texts as they are, other values as JSON. `defaultAssert`: the assertions of its suite. */
export function formOf(row: EvaluationCase | undefined, defaultAssert: readonly Assertion[] = []): CaseForm {
  const { id = "", input = "", turns = [], user, expected, assert = [] } = row ?? {};
  const choice = assert.find((one) => choiceOf(one) !== undefined);
  const others = assert.filter((one) => one !== choice);
  const checks = others.map((one, index) => rowOf(one, String(index)));
  const rest = others.filter((_, index) => checks[index] === undefined);
  const chosen = choice && choiceOf(choice);
  return {
    id,
    // Only a trigger takes a text for a message.
    input: row?.start ? jsonText(input) : textOf(input),
    turns: turns.some((turn) => turn.includes("\n")) ? JSON.stringify(turns, null, 2) : turns.join("\n"),
    goal: user?.goal ?? "",
    expected: expected === undefined ? "" : textOf(expected),
    comparison: chosen ?? impliedChoice(defaultAssert, row ?? {}),
    checks: checks.filter((one) => one !== undefined),
    assert: rest.length === 0 ? "" : JSON.stringify(rest, null, 2),
  };
}

/** The typed case, or what is wrong by field. What the form does not show stays as it was. */
export function readCaseForm(
  form: CaseForm,
  before?: EvaluationCase,
  defaultAssert: readonly Assertion[] = [],
): { ok: true; case: EvaluationCase } | { ok: false; problems: CaseProblems } {
  const rest = form.assert.trim() === "" ? [] : parseJson(form.assert);
  if (rest === undefined) return { ok: false, problems: { assert: "This is not valid JSON." } };
  if (!Array.isArray(rest)) return { ok: false, problems: { assert: "This is not a list in JSON." } };
  const checks = checksOf(form.checks);
  const { assert: assertBefore, expected, turns: _turns, user, ...kept } = before ?? {};
  const shown = formOf(before, defaultAssert);
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
    ...(rest.length === 0 ? {} : { assert: rest }),
  });
  if (read.success && form.input.trim() !== "" && checks.problems === undefined) {
    const isSame = assertionsText(form) === assertionsText(shown) && (form.expected === "") === (shown.expected === "");
    if (isSame) return { ok: true, case: withAssertions(read.data, assertBefore) };
    const assertions = [...checks.assertions, ...(read.data.assert ?? [])];
    const made = withAssertions(read.data, assertions.length > 0 ? assertions : undefined);
    return { ok: true, case: compared(made, form.comparison, defaultAssert) };
  }
  const problems: CaseProblems = form.input.trim() === "" ? { input: "A case needs an input." } : {};
  if (checks.problems) problems.checks = checks.problems;
  for (const issue of read.success ? [] : read.error.issues) {
    const field = fieldOf(issue.path[0]);
    problems[field] ??= words[field] ?? issueText(issue);
  }
  return { ok: false, problems };
}

/** The assertions of the rows, and what is wrong with rows by their keys. */
function checksOf(rows: readonly CheckRow[]): { assertions: Assertion[]; problems?: Record<string, string> } {
  const assertions: Assertion[] = [];
  const problems: Record<string, string> = {};
  for (const row of rows) {
    const read = assertionOf(row);
    if (read.ok) assertions.push(read.assertion);
    else problems[row.key] = read.problem;
  }
  return Object.keys(problems).length > 0 ? { assertions, problems } : { assertions };
}

/** All that the form says about assertions, to see whether it was touched. */
function assertionsText({ comparison, checks, assert }: CaseForm): string {
  return JSON.stringify([comparison, checks.map(({ kind, value, matchCase }) => [kind, value, matchCase]), assert]);
}

function withAssertions(
  { assert: _assert, ...rest }: EvaluationCase,
  assert: EvaluationCase["assert"],
): EvaluationCase {
  return assert === undefined ? rest : { ...rest, assert };
}

/** The case with its comparison: named only where it would be another one without. */
function compared(made: EvaluationCase, choice: ComparisonChoice, defaultAssert: readonly Assertion[]): EvaluationCase {
  const { assert = [], expected } = made;
  if (expected === undefined || choice === "assertions" || choice === impliedChoice(defaultAssert, made)) return made;
  return { ...made, assert: [comparisonAssertion(choice), ...assert] };
}

const words: Omit<CaseProblems, "checks"> = {
  id: "A case needs a name.",
  turns: "Write one message per line, or a JSON list of texts; 50 at most.",
  goal: "A case has further messages or a goal, not both. Clear one of them.",
};

function fieldOf(name: PropertyKey | undefined): Exclude<keyof CaseProblems, "checks"> {
  if (name === "user") return "goal";
  return (["id", "input", "turns", "expected"] as const).find((field) => field === name) ?? "assert";
}

function turnsOf(text: string): Json {
  if (/^\s*\[/.test(text)) return parseJson(text) ?? text;
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
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return value ?? text;
}
