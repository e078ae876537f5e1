import { describe, expect, it } from "vitest";
import { checkFilter, type KnowledgeField } from "./check-filter.ts";
import { conditionText, holds } from "./condition.ts";
import { parseFilter } from "./parse-filter.ts";
import { filterCases, filteredMetadata } from "./testing/filter-cases.ts";
import type { Json } from "../../json.ts";

const fields: KnowledgeField[] = [
  { name: "team", types: ["text"], examples: ["sales"] },
  { name: "year", types: ["number"], examples: [2025] },
  { name: "draft", types: ["boolean"], examples: [true] },
  { name: "code", types: ["text", "number"], examples: [] },
];

function read(text: string, parameters: Json[] = []) {
  const parsed = parseFilter(text, parameters);
  if (!parsed.ok) throw new Error(`${parsed.message} ${parsed.hint}`);
  if (!parsed.condition) throw new Error("It is empty.");
  return parsed.condition;
}

const failure = (text: string, parameters: Json[] = []) => {
  const parsed = parseFilter(text, parameters);
  if (!parsed.ok) return `${parsed.message} ${parsed.hint}`;
  const checked = parsed.condition && checkFilter(parsed.condition, fields);
  return checked === undefined || checked.ok ? "" : `${checked.message} ${checked.hint}`;
};

describe("a filter of passages", () => {
  it.each(filterCases)("holds for the right documents: %s", (text, expected) => {
    const condition = read(text);
    const names = Object.entries(filteredMetadata).flatMap(([name, values]) =>
      holds(condition, values) ? [name] : [],
    );
    expect(names).toEqual(expected);
  });

  it.each(filterCases)("can be written down and read again: %s", (text) => {
    const condition = read(text);
    expect(conditionText(read(conditionText(condition)))).toBe(conditionText(condition));
  });

  it("takes what is inserted as a value, whatever stands in it", () => {
    const condition = read("team = $1 and year in $2", ['x" or team != "', [2024, 2025]]);
    expect(holds(condition, { team: "sales", year: 2025 })).toBe(false);
    expect(holds(condition, { team: 'x" or team != "', year: 2025 })).toBe(true);
  });

  it("takes numbers that came as text, and the other way round, as the field has them", () => {
    const checked = checkFilter(read('year >= "2025" and team = 7 and draft = "true" and code = 7'), fields);
    expect(checked.ok && conditionText(checked.condition)).toBe(
      'year >= 2025 and team = "7" and draft = true and code = 7',
    );
  });

  it.each<[string, string, Json[]?]>([
    [
      'taem = "sales"',
      'Did you mean "team"? The fields are document, page, row, entry, slide, team, year, draft, code.',
    ],
    ["team = sales", 'Put texts in quotes: team = "sales".'],
    ['team = "sales', "The quote at 8 is not closed."],
    ['team "sales"', "a comparison of team is expected"],
    ["team =", "The filter ends where a value for team is expected."],
    ['team = "a" year = 1', "where and, or, or the end is expected"],
    ['(team = "a"', "a closing parenthesis"],
    ["team in ()", "a value for team"],
    ["team not = 1", "in is expected"],
    ['team starts "a"', "with is expected"],
    ['= "a"', "the name of a field"],
    ["team = 1; drop", "unexpected ; at 9"],
    ['year > "soon"', 'Compare "year" with a number.'],
    ["draft > true", 'Compare "draft" with true or false.'],
    ['year starts with "20"', 'Compare "year" with a number.'],
    ["team = $1", 'The value inserted for "team" is empty.', [""]],
    ["team = $1", 'The value inserted for "team" is empty.', [null]],
    ["team = $2", "cannot be compared", ["a"]],
    ["team in $1", "Insert a list of texts or numbers.", [[]]],
    ["team in $1", "Insert a list of texts or numbers.", [[{}]]],
  ])("says what is wrong with %s", (text, words, parameters) => {
    expect(failure(text, parameters)).toContain(words);
  });

  it("is bounded in its length, its comparisons and its depth", () => {
    expect(failure(`${"(".repeat(20)}team = 1${")".repeat(20)}`)).toContain("nested parentheses");
    expect(failure(`${"not ".repeat(20)} team = 1`)).toContain('nested "not"');
    expect(failure(Array.from({ length: 101 }, () => "team = 1").join(" or "))).toContain("more than 100 comparisons");
    expect(failure("x".repeat(5_000))).toContain("longer than 4000 characters");
  });

  it("asks for nothing where it is empty", () => {
    expect(parseFilter("  ")).toEqual({ ok: true, condition: undefined });
  });
});
