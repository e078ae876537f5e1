import { expect, it } from "vitest";
import { type CaseTableRow, emptyRow, pasteCells, readCaseRows } from "./case-table.ts";
import { parseTable } from "./parse-table.ts";

const none = { taken: [], defaultAssert: [] };
const row = (part: Partial<CaseTableRow>): CaseTableRow => ({ ...emptyRow, ...part });

it("fills cells to the right and down, and keeps a row to type in", () => {
  const cells = [
    ["What is 2 + 2?", "4"],
    ["What is 3 + 3?", "6"],
  ];
  expect(pasteCells([row({ id: "sum" })], { row: 0, column: "input" }, cells)).toEqual([
    row({ id: "sum", input: "What is 2 + 2?", expected: "4" }),
    row({ input: "What is 3 + 3?", expected: "6" }),
    emptyRow,
  ]);
});

it("reads what a spreadsheet copies, with line breaks and quotes in cells", async () => {
  const cells = await parseTable('Question\tAnswer\r\n"Say ""hi""\nin two lines"\thi\r\n', "\t");
  expect(pasteCells([emptyRow], { row: 0, column: "expected" }, cells)).toEqual([
    row({ input: 'Say "hi"\nin two lines', expected: "hi" }),
    emptyRow,
  ]);
});

it("takes a first row for names only where it names every column", () => {
  const pasted = pasteCells([emptyRow], { row: 0, column: "input" }, [["Question", "Oslo"]]);
  expect(pasted[0]).toEqual(row({ input: "Question", expected: "Oslo" }));
});

it("names what has no name, beside the names that there are", () => {
  const rows = [row({ input: "a" }), row({ id: "case-2", input: "b" }), emptyRow, row({ input: '{"n":1}' })];
  expect(readCaseRows(rows, { ...none, taken: ["case-1"] })).toEqual({
    ok: true,
    cases: [
      { id: "case-3", input: "a" },
      { id: "case-2", input: "b" },
      { id: "case-4", input: { n: 1 } },
    ],
  });
});

it("says of each row what is wrong", () => {
  const rows = [row({ expected: "4" }), row({ id: "x", input: "a" }), row({ id: "x", input: "b" })];
  expect(readCaseRows(rows, none)).toEqual({
    ok: false,
    problems: { 0: { input: "A case needs an input." }, 2: { id: "There is a case “x” already." } },
  });
});
