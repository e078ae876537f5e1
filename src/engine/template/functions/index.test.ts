import { expect, it } from "vitest";
import { compileExpression } from "../expression.ts";
import { recordScope } from "../scope.ts";

const json = {
  name: "Ann Lee",
  tags: ["b", "a", "b"],
  count: 5,
  nothing: null,
  list: [{ n: 2 }, { n: 1 }],
  text: "a1b22",
};

function give(source: string): unknown {
  return compileExpression(source).evaluate(recordScope({ json, now: new Date("2026-01-31T12:34:56.789Z") }));
}

const cases: [string, unknown][] = [
  ["maybe(json.a.b.c)", null],
  ["maybe(json.name)", "Ann Lee"],
  ['fallback(json.?nothing, json.?gone, "x")', "x"],
  ['coalesce(json.?gone, json.?nothing, "x")', "x"],
  ['concat("a", json.?gone, json.?nothing, json.count)', "aundefinednull5"],
  ["text(json.tags)", '["b","a","b"]'],
  ["upper(json.name)", "ANN LEE"],
  ["maybe(upper(json.count))", null],
  ['join(unique(json.tags), "-")', "b-a"],
  ["sort(json.tags)", ["a", "b", "b"]],
  ['pluck(sortBy(json.list, "n"), "n")', [1, 2]],
  ["number(json.?count) > 4.0", true],
  ['replacePattern(json.text, "[0-9]+", "#", "g")', "a#b#"],
  ['replacePattern("Ann Lee", "(\\\\w+) (\\\\w+)", "$2, $1")', "Lee, Ann"],
  ['replacePattern("<a><b>", "<.*?>", "")', "<b>"],
  ['findPattern("id: 42", "id: (\\\\d+)")', ["id: 42", "42"]],
  ['findAllPattern("a1b22", "\\\\d+", "g")', ["1", "22"]],
  ['findPattern("cab", "a|ab")', ["a"]],
  ['slice("hello", -3)', "llo"],
  ["at(json.tags, -1)", "b"],
  ['formatDate(now, "yyyy-MM-dd HH:mm")', "2026-01-31 12:34"],
  ['formatDate(now, "dd LLL yyyy, hh:mm a", "America/New_York")', "31 Jan 2026, 07:34 AM"],
  ['iso(shiftDate(now, 1, "month"))', "2026-02-28T12:34:56.789Z"],
  ['iso(startOf(now, "week"))', "2026-01-26T00:00:00.000Z"],
  ['dateDiff("2026-01-01", "2026-03-01", "months")', 2],
  ['iso(readDate("05.02.2026", "dd.MM.yyyy"))', "2026-02-05T00:00:00.000Z"],
  ['iso("2026-07-01T10:00:00", "Europe/Berlin")', "2026-07-01T10:00:00.000+02:00"],
  ["toJson(json.list)", '[{"n":2},{"n":1}]'],
  ['parseJson("{\\"a\\": [1]}").a', [1]],
  ["indexed(json.tags).map(x, x.index)", [0, 1, 2]],
  ["isNothing(json.?gone) ? 1 : 2", 1],
  ["round(2.345, 2)", 2.35],
  ["items(json.count).map(x, x)", [5]],
];

for (const [source, value] of cases) {
  it(`gives ${JSON.stringify(value)} for ${source}`, () => expect(give(source)).toEqual(value));
}

it("does not run for long on patterns that would blow up a backtracking matcher", () => {
  expect(give('matchesPattern(repeat("a", 5000), "^(a+)+$")')).toBe(true);
  expect(give('matchesPattern(concat(repeat("a", 5000), "b"), "^(a+)+$")')).toBe(false);
});

it("stops what builds too much, and maybe(…) does not hide it", () => {
  expect(() => give('maybe(concat(repeat("a", 1500000), repeat("b", 1500000)))')).toThrow("too much");
  expect(give('maybe(repeat("abc", 100000000))')).toBe(null);
});
