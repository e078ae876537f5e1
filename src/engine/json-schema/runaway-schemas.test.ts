import { expect, it } from "vitest";
import type { Json, JsonSchema } from "../json.ts";
import { boundedCheck, isHarmless } from "./bounded-check.ts";
import { argumentProblems, schemaCheck } from "./schema-check.ts";

function nested<Value>(levels: number, around: (inner: Value) => Value, innermost: Value): Value {
  let value = innermost;
  for (let level = 0; level < levels; level += 1) value = around(value);
  return value;
}

const chain = (word: string): JsonSchema => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { [word]: [{ $ref: `#/$defs/d${(at + 1) % 40}` }, { $ref: `#/$defs/d${(at + 1) % 40}` }] },
    ]),
  ),
});
const fields = (count: number, text: (at: number) => string): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [text(at), 1]));

/** What could take long, whatever the validator does; a thread with a deadline has to make it. */
const long: [string, JsonSchema, Json][] = [
  ["a circle of references", { $ref: "#" }, 1],
  ["references that double", chain("allOf"), 1],
  ["references that double, as choices", chain("anyOf"), 1],
  ["a dynamic reference", { $dynamicAnchor: "n", properties: { a: { $dynamicRef: "#n" } } }, { a: {} }],
  [
    "choices that double in the text",
    nested<JsonSchema>(16, (one) => ({ allOf: [one, one] }), { type: "number" }),
    "a",
  ],
  ["a list of choices without end", { allOf: Array.from({ length: 20_000 }, () => ({ type: "string" })) }, 1],
  ["comparing each with each", { uniqueItems: true }, Array.from({ length: 2_000 }, (_, a) => ({ a }))],
  ["many patterns on many names", { patternProperties: { "^(a|b)*$": {} } }, fields(400, (at) => `abab${at}`)],
  ["a pattern of 100,000 characters", { pattern: "a?".repeat(50_000) }, "a"],
  ["a large list of values", { enum: Array.from({ length: 20_000 }, (_, a) => ({ a, b: [a] })) }, { a: -1 }],
];

it("S72 leaves checks that could take long to the thread that can be ended", () => {
  expect(long.filter(([, schema, value]) => isHarmless({ schema, value })).map(([name]) => name)).toEqual([]);
});

/** What is checked at once: it is answered at once, and never by an exception. */
const quick: [string, JsonSchema, Json, boolean | RegExp][] = [
  ["a pattern that backtracks", { pattern: "^(a+)+$" }, `${"a".repeat(900)}!`, false],
  ["such a pattern on names", { propertyNames: { pattern: "^(a|aa)+$" } }, { [`${"a".repeat(900)}!`]: 1 }, false],
  ["a look-ahead that backtracks", { pattern: "(?=(a+)+$)b" }, "a".repeat(900), true],
  ["repetitions of repetitions", { pattern: "((a{1,999}){1,999}){1,999}" }, "aaa", true],
  ["the format url on a long name", { format: "url" }, `http://${"a".repeat(900)} `, false],
  ["the format url", { format: "url" }, "https://example.com/a?b=c", true],
  ["the format email", { format: "email" }, `${"a".repeat(480)}@${"a-".repeat(200)}!`, false],
  ["the format hostname", { format: "hostname" }, `${"a-".repeat(450)}!`, false],
  ["the format uri-template", { format: "uri-template" }, "{".repeat(900), false],
  ["a format named like a method", { format: "hasOwnProperty" }, "a", true],
  ["a format named like the prototype", { format: "__proto__" }, "a", true],
  ["subschemas nested 3,000 deep", nested<JsonSchema>(3_000, (one) => ({ allOf: [one] }), {}), 1, /nested too deeply/],
  ["a keyword of another type", { required: 5 }, {}, /schema itself is broken/i],
  ["properties that are null", { properties: null }, { a: 1 }, /schema itself is broken/i],
  ["an address that is none", { $id: "http://[" }, "x", /schema itself is broken/i],
  ["half a character as a name", { properties: { "\ud800": { type: "string" } } }, { "\ud800": 1 }, /broken|not/i],
  [
    "names of the prototype",
    JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}') as JsonSchema,
    JSON.parse('{"__proto__":1,"constructor":1}') as Json,
    /__proto__.*constructor/,
  ],
];

it.each(quick)("S72 answers at once: %s", async (_name, schema, value, expected) => {
  const host = { checkSchema: () => Promise.reject(new Error("It was handed over.")) };
  const verdict = await boundedCheck(host, schema, () => AbortSignal.abort())(value);
  if (expected instanceof RegExp) expect(!verdict.ok && verdict.reason).toMatch(expected);
  else expect(verdict.ok).toBe(expected);
  expect(() => argumentProblems(schema, { argument: value })).not.toThrow();
});

it("S72 refuses subschemas nested 20,000 deep, be it at once or where the host checks them", async () => {
  // Whether such a schema can be written as text, and so handed over, depends on the engine.
  const host = { checkSchema: () => Promise.resolve({ ok: false as const, reason: "It is nested too deeply." }) };
  const schema = nested<JsonSchema>(20_000, (not) => ({ not }), {});
  expect(await boundedCheck(host, schema, () => AbortSignal.abort())(1)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/nested too deeply/),
  });
});

it("S72 never follows a reference to somewhere else", () => {
  for (const $ref of ["http://169.254.169.254/latest", "file:///etc/passwd", "#/$defs/none", "#/constructor"])
    expect(schemaCheck({ $ref })({}), $ref).toMatchObject({ ok: false, reason: expect.stringMatching(/broken/) });
  expect({}).not.toHaveProperty("polluted");
});
