import { expect, it } from "vitest";
import { kindOfVariable, nameProblem, readVariable, writeVariable } from "./variable-text.ts";

it.each([
  ["a text"],
  [""],
  ["12"],
  [12],
  [true],
  ["true"],
  [null],
  ["null"],
  [[1, "x"]],
  [{ a: { b: [] } }],
  ['"quoted"'],
])("a variable keeps its value and its type through the form: %j", (value) =>
  expect(readVariable(writeVariable(value))).toEqual(value),
);

it("says what kind of value is being typed", () => {
  expect(["plain", "12", '"12"', "true", "[1]", '{"a":1}', "null"].map(kindOfVariable)).toEqual([
    "text",
    "number",
    "text",
    "yes or no",
    "list",
    "object",
    "nothing",
  ]);
});

it("names what is wrong with a variable's name", () => {
  const rows = ["limit", "limit", "2nd", "", "fine"].map((name, key) => ({ key, name, text: "" }));
  expect(rows.map(({ name }) => nameProblem(name, rows))).toEqual([
    "Two variables have this name.",
    "Two variables have this name.",
    "Use letters, digits and _, not a digit first.",
    "Enter a name.",
    undefined,
  ]);
});
