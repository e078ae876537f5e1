import type { Assertion } from "../../evaluation/assertions/assertion.ts";
import type { EvaluationCase } from "../../evaluation/suite/evaluation-case.ts";
import { formOf, readCaseForm } from "./case-form.ts";

/** The columns in which cases are typed. */
export const caseColumns = ["input", "expected", "id"] as const;
export type CaseColumn = (typeof caseColumns)[number];

/** A case as a row of the table. */
export type CaseTableRow = Readonly<Record<CaseColumn, string>>;

export const emptyRow: CaseTableRow = { id: "", input: "", expected: "" };

/** What people call the columns in a spreadsheet. */
const headings: Readonly<Record<string, CaseColumn>> = {
  id: "id",
  name: "id",
  input: "input",
  question: "input",
  message: "input",
  prompt: "input",
  expected: "expected",
  "expected answer": "expected",
  answer: "expected",
  output: "expected",
};

/** A cell of the table. */
export interface CellPlace {
  row: number;
  column: CaseColumn;
}

/**
 * The rows with pasted cells, from a cell on to the right and down as in a spreadsheet; new rows where they are needed. Cells whose
 * first row names the columns go to these columns.
 */
export function pasteCells(
  rows: readonly CaseTableRow[],
  { row: start, column }: CellPlace,
  cells: readonly (readonly string[])[],
): CaseTableRow[] {
  const [first = []] = cells;
  const named = first.map((cell) => headings[cell.trim().toLowerCase()]);
  const hasHead = named.includes("input") && named.every((name) => name !== undefined);
  const columns = hasHead ? named : caseColumns.slice(caseColumns.indexOf(column));
  const body = hasHead ? cells.slice(1) : cells;
  // What a spreadsheet copies ends with a line break.
  const last = body.findLastIndex((line) => line.some((cell) => cell.trim() !== ""));
  const next = [...rows];
  for (const [offset, line] of body.slice(0, last + 1).entries()) {
    const changed: Record<CaseColumn, string> = { ...(next[start + offset] ?? emptyRow) };
    for (const [at, cell] of line.entries()) {
      const name = columns[at];
      if (name !== undefined) changed[name] = cell.trim();
    }
    next[start + offset] = changed;
  }
  return withEmptyEnd(next);
}

/** The rows with one to type in at the end. */
export function withEmptyEnd(rows: readonly CaseTableRow[]): CaseTableRow[] {
  const end = rows.at(-1);
  return end !== undefined && isEmpty(end) ? [...rows] : [...rows, emptyRow];
}

function isEmpty(row: CaseTableRow): boolean {
  return caseColumns.every((column) => row[column].trim() === "");
}

/** What is wrong, by the number of the row. */
export type RowProblems = Readonly<Record<number, Partial<Record<CaseColumn, string>>>>;

/** The cases of the rows that are filled; those without a name get one. `taken`: the names of the suite's cases. */
export function readCaseRows(
  rows: readonly CaseTableRow[],
  { taken, defaultAssert }: { taken: readonly string[]; defaultAssert: readonly Assertion[] },
): { ok: true; cases: EvaluationCase[] } | { ok: false; problems: RowProblems } {
  const cases: EvaluationCase[] = [];
  const problems: Record<number, Partial<Record<CaseColumn, string>>> = {};
  const given = new Set([...taken, ...rows.map(({ id }) => id.trim())]);
  const names = new Set(taken);
  let number = taken.length;
  for (const [index, row] of rows.entries()) {
    if (isEmpty(row)) continue;
    let id = row.id.trim();
    while (id === "" || (row.id.trim() === "" && given.has(id))) id = `case-${++number}`;
    if (names.has(id)) {
      problems[index] = { id: `There is a case “${id}” already.` };
      continue;
    }
    names.add(id);
    const form = { ...formOf(undefined, defaultAssert), id, input: row.input.trim(), expected: row.expected.trim() };
    const read = readCaseForm(form, undefined, defaultAssert);
    if (read.ok) cases.push(read.case);
    else {
      const { input, expected } = read.problems;
      problems[index] = {
        ...(read.problems.id !== undefined && { id: read.problems.id }),
        ...(input !== undefined && { input }),
        ...(expected !== undefined && { expected }),
      };
    }
  }
  return Object.keys(problems).length > 0 ? { ok: false, problems } : { ok: true, cases };
}
