import { describe, expect, it } from "vitest";
import { calculate } from "./calculate.ts";
import { calculatorTool } from "./calculator-tool.ts";

function valueOf(expression: string): number | string {
  const result = calculate(expression);
  return result.ok ? result.value : result.message;
}

describe("calculate", () => {
  const right: [string, number][] = [
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["2 ^ 10", 1024],
    ["2 ^ 3 ^ 2", 512],
    ["2 ** 10", 1024],
    ["-2 ^ 2", -4],
    ["-(3 - 5)", 2],
    ["7 % 4", 3],
    ["10 / 4", 2.5],
    ["0.1 + 0.2", 0.3],
    ["1.5e3 * 2", 3000],
    ["sqrt(16) + abs(-3)", 7],
    ["max(1, 5, 3) - min(4, 2)", 3],
    ["round(2.5) + floor(2.9) + ceil(2.1)", 8],
    ["sin(0) + cos(0)", 1],
    ["ln(E)", 1],
    ["log10(1000)", 3],
    ["pow(2, 8)", 256],
    ["2 * PI", 6.28318530717959],
    ["5!", 120],
    ["6 × 7 − 2 ÷ 2", 41],
    ["123456789 * 987654321", 121932631112635000],
  ];
  for (const [expression, value] of right)
    it(`${expression} = ${value}`, () => {
      expect(valueOf(expression)).toBe(value);
    });

  const wrong: [string, RegExp][] = [
    ["2 + * 3", /Unexpected "\*" at character 5/],
    ["2 3", /Unexpected "3" at character 3/],
    ["(2 + 3", /ends too early/],
    ["2 +", /ends too early/],
    ["2 + 3)", /Unexpected "\)" at character 6/],
    ["2 + abc * 3", /Unknown name "abc" at character 5/],
    ["foo(2)", /Unknown name "foo" at character 1/],
    ["x = 5", /"=" is not allowed at character 3/],
    ["1; 2", /";" is not allowed at character 2/],
    ["'a' + 1", /not allowed at character 1/],
    ["[1, 2]", /not allowed at character 1/],
    ["f(x) = x", /not allowed/],
    ["1 / 0", /division by zero at character 3/],
    ["5 % 0", /division by zero/],
    ["10 ^ 400", /too large/],
    ["1 / (2 - 2)", /infinite.*divided by zero/],
    ["ln(0)", /infinite.*logarithm of zero/],
    ["sqrt(-1)", /not a number/],
    ["", /empty/],
    ["sqrt", /"sqrt" needs a value in parentheses at character 1/],
    ["1".repeat(1_001), /longer than 1000/],
  ];
  for (const [expression, message] of wrong)
    it(`says what is wrong with ${expression.slice(0, 20)}`, () => {
      expect(valueOf(expression)).toMatch(message);
    });

  it("S24 reaches nothing but arithmetic", () => {
    for (const name of [
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
      "process",
      "globalThis",
      "random()",
      "constructor(1)",
      "sin.constructor",
      "(1).constructor",
      "valueOf()",
      "map(sqrt, 4)",
      "if(1, 2, 3)",
      // These would end in a number, so that not only their value is refused.
      "max.length",
      "0 * constructor(1)",
    ])
      expect(calculate(name).ok, name).toBe(false);
  });

  it("has the precision that the model is told of", () => {
    const description = calculatorTool.config.shape.toolDescription.parse(undefined);
    const digits = Number(/(\d+) significant digits/.exec(description)?.[1]);
    expect(String(valueOf("2 / 3"))).toBe(`0.${"6".repeat(digits - 1)}7`);
    expect(calculatorTool.summary).toContain(`${digits} digits`);
  });

  it("survives deep nesting", () => {
    expect(calculate(`${"(".repeat(450)}1${")".repeat(450)}`)).toEqual({ ok: true, value: 1 });
    expect(calculate("(".repeat(1_000)).ok).toBe(false);
    expect(calculate(`${"-".repeat(990)}1`).ok).toBe(true);
  });
});
