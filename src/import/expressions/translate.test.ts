import { readFileSync } from "node:fs";
import { getQuickJS } from "quickjs-emscripten";
import { describe, expect, it } from "vitest";
import { compileExpression } from "../../engine/template/expression.ts";
import { recordScope } from "../../engine/template/scope.ts";
import type { Json } from "../../engine/json.ts";
import { translate } from "./translate.ts";

const now = new Date("2026-05-05T10:00:00.000Z");

const full = {
  name: "Ann Lee",
  email: "Ann@Example.com",
  tags: ["b", "a", "b"],
  count: 5,
  price: "12.5",
  nothing: null,
  user: { name: "Bob", age: 30, tags: [] },
  list: [
    { n: 2, name: "x" },
    { n: 1, name: null },
  ],
  text: "a1b22",
  ok: true,
  off: false,
  empty: "",
  zero: 0,
  date: "2026-01-31T12:34:56.789Z",
  raw: '{"a":[1]}',
};
const other = { id: 7, body: { message: "hi", from: { id: "u1" } }, list: [1, 2, 3] };

const sources = readFileSync(new URL("expressions.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean);

/** What leaves a third of the fields out, another third each time. */
function withGaps(value: Json, round: number): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter((_, index) => (index + round) % 3 !== 0);
  return Object.fromEntries(entries.map(([key, one]) => [key, withGaps(one, round + 1)]));
}

const quickjs = await getQuickJS();

/** JavaScript's own answer, in the sandbox: nothing where it throws, as n8n has it. */
function answer(source: string, json: Json): unknown {
  const code = `(() => { const $json = ${JSON.stringify(json)}; const other = ${JSON.stringify(other)};
    const wrap = (value) => ({ item: { json: value }, first: () => ({ json: value }), last: () => ({ json: value }), all: () => [{ json: value }], json: value });
    const $ = () => wrap(other); const $input = wrap($json); const $node = { "Other Node": { json: other } };
    try { const value = (${source}\n); return JSON.stringify(value === undefined || (typeof value === "number" && !isFinite(value)) ? null : value); } catch { return "null"; } })()`;
  return JSON.parse(String(quickjs.evalCode(code)));
}

const names = { node: (name: string) => (name === "Other Node" ? "nodes.other_node" : undefined) };

function value(source: string, json: Json): unknown {
  const made = translate(source, { names });
  if (!made.ok) throw new Error(`${source}: ${made.reason}`);
  const variables = { json, nodes: { other_node: other }, now, vars: {}, run: { id: "r" } };
  return compileExpression(made.cel).evaluate(recordScope(variables));
}

/** JavaScript leaves keys out whose value is missing; here they are null. */
function withoutNulls(one: unknown): unknown {
  if (Array.isArray(one)) return one.map(withoutNulls);
  if (typeof one !== "object" || one === null) return one;
  return Object.fromEntries(
    Object.entries(one).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])),
  );
}

describe("expressions give what JavaScript gives", () => {
  for (const source of sources) {
    it(`${source}`, () => {
      for (const json of [full, withGaps(full, 0), withGaps(full, 1), withGaps(full, 2)]) {
        expect(withoutNulls(value(source, json)), JSON.stringify(json)).toEqual(withoutNulls(answer(source, json)));
      }
    });
  }
});

describe("dates", () => {
  for (const [source, expected] of [
    ["$now.toISO()", "2026-05-05T10:00:00.000Z"],
    ["$now.toFormat('dd.MM.yyyy')", "05.05.2026"],
    ["$now.minus({ days: 5, hours: 2 }).toISO()", "2026-04-30T08:00:00.000Z"],
    ["$now.plus(1, 'week').toFormat('yyyy-MM-dd')", "2026-05-12"],
    ["$today.toISO()", "2026-05-05T00:00:00.000Z"],
    ["$now.setZone('America/New_York').toFormat('HH:mm')", "06:00"],
    ["DateTime.fromISO($json.date).diff(DateTime.fromISO('2026-01-01'), 'days').days > 30", true],
    ["DateTime.fromISO($json.date).startOf('month').toISODate()", "2026-01-01"],
    ["new Date($json.date).toISOString().split('T')[0]", "2026-01-31"],
    ["$json.date.toDateTime().format('yyyy')", "2026"],
  ] as const) {
    it(`${source}`, () => expect(value(source, full)).toBe(expected));
  }
});

describe("what is no expression", () => {
  for (const source of [
    "$json.a = 5",
    "for (;;) {}",
    "$json.list.forEach(x => x.a = 1)",
    "await fetch('https://example.com')",
  ]) {
    it(`${source}`, () => expect(translate(source, { names }).ok).toBe(false));
  }

  it("S29 does not run long or deep on hostile source", () => {
    expect(translate(`${"(".repeat(5_000)}1${")".repeat(5_000)}`, { names }).ok).toBe(false);
    expect(translate("a".repeat(50_000), { names }).ok).toBe(false);
    expect(translate("$json" + ".a".repeat(3_000), { names }).ok).toBe(false);
    expect(translate("$json.a" + "?.trim()".repeat(2_000), { names }).ok).toBe(false);
    expect(translate("$json.a" + "?.trim()".repeat(30), { names }).ok).toBe(false);
  });

  it("S27 reaches no prototype", () => {
    for (const source of [
      "$json.constructor.constructor('return 1')()",
      "$json.__proto__.x",
      "$json['constructor']['name']",
    ]) {
      const made = translate(source, { names });
      expect(made.ok ? value(source, full) : null).toBe(null);
    }
  });
});

it("asks the model for what $fromAI names", () => {
  const made = translate("/*n8n-auto-generated*/ $fromAI('the city', `where to look`, 'string')", { names });
  expect(made).toMatchObject({ ok: true, cel: 'ai("the_city", "where to look", "string")' });
});
