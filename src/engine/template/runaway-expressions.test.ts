import { expect, test } from "vitest";
import type { Json } from "../json.ts";
import { compileTemplate, resolveTemplate } from "./resolve-template.ts";
import { recordScope } from "./scope.ts";
import { TemplateProblem } from "./template-problem.ts";

const nested = (levels: number): Json => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json;
const data = {
  big: "x".repeat(300_000),
  text: "a".repeat(50_000),
  list: Array.from({ length: 30_000 }, (_, index) => index),
  words: Array.from({ length: 5_000 }, (_, index) => `w${index}`),
};

function outcome(expression: string, json: Json = data, clock = () => 0): string {
  try {
    const value = resolveTemplate(compileTemplate(`{{${expression}}}`), recordScope({ json }, clock), {
      place: "value",
    });
    return `gave ${JSON.stringify(value)?.slice(0, 60)}`;
  } catch (error) {
    if (error instanceof TemplateProblem) return error.kind;
    throw error;
  }
}

test("S29 expressions that run away are stopped, also where a part that fails is no failure of the whole", () => {
  const runaways = [
    "json.list.map(a, json.list.map(b, json.list.map(c, a + b + c)))",
    "json.list.all(a, json.list.all(b, a >= 0 && b >= 0))",
    "json.list.all(a, json.list.all(b, 1 / 0 == 1 || b >= 0))",
    "json.list.exists(a, json.list.exists(b, json.list.exists(c, 1 / 0 == c)))",
    "json.list.exists(a, json.big.contains('y')) || json.list.all(a, json.big.endsWith('x'))",
    "maybe(json.list.map(a, json.list.map(b, a)))",
    "json.list.exists(a, fallback(maybe(json.list.map(b, json.list.map(c, c))), false) == 1)",
    "json.words.filter(a, json.words.filter(b, a in json.words) == [])",
    "json.list.map(a, json.text.matches('((a{1,9}){1,9}){1,2}b'))",
    "json.list.map(a, unique(json.words))",
    "json.list.map(a, toJson(json.list))",
    "json.list.map(a, json.big + json.big)",
    Array(400).fill("json.big").join("+"),
    Array(300).fill("json.list").join("+"),
    `[${Array(9).fill("json.big + json.big").join(",")}]`,
  ];
  expect(Object.fromEntries(runaways.map((one) => [one.slice(0, 60), outcome(one, data, Date.now)]))).toEqual(
    Object.fromEntries(runaways.map((one) => [one.slice(0, 60), "limit"])),
  );
});

test("S29 many expressions that take their time share what one text may take", () => {
  const slow = "{{json.list.exists(a, json.big.contains('y'))}}";
  // A clock on which each look takes 50 ms.
  let now = 0;
  const scope = recordScope({ json: data }, () => (now += 50));
  expect(() => resolveTemplate(compileTemplate("{{json.big}}".repeat(5)), scope, { place: "text" })).not.toThrow();
  expect(() =>
    resolveTemplate(compileTemplate("{{json.words[0] + ' '}}".repeat(400)), scope, { place: "text" }),
  ).toThrow(/longer than 3 s together/);
  expect(outcome(slow.slice(2, -2), data, Date.now)).toBe("limit");
});

test("S29 data that is nested deeply is refused before its types are written, and by its path it stays as it is", () => {
  const deep = { deep: nested(5_000), n: 1 };
  for (const expression of ["json.deep == json.deep", "json.deep in [json.n]", "[json] == [1]"])
    expect(outcome(expression, deep), expression).toBe("limit");
  expect(outcome("json.deep", { deep: nested(400) })).toContain("gave [[[");
  expect(outcome("json.deep == [1]", { deep: nested(400) })).toBe("gave false");
  expect(outcome("json.n", deep)).toBe("gave 1");
});

test("S29 sums, quantifiers and long chains that are no attack mean what they did", () => {
  expect(outcome(`${"json.a + ".repeat(300)}"!"`, { a: "x" })).toBe(
    `gave ${JSON.stringify(`${"x".repeat(300)}!`).slice(0, 60)}`,
  );
  expect(outcome("json.list.all(a, a >= 0) && json.list.exists(a, a == 3)", { list: [1, 2, 3] })).toBe("gave true");
  expect(outcome("json.list.exists(a, 1 / (a - 1) > 0 || a == 1)", { list: [1, 3] })).toBe("gave true");
  expect(outcome("json.a - (json.b + json.c + 1) + json.d", { a: 10, b: 1, c: 2, d: 5 })).toBe("gave 11");
});
