import { expect, it } from "vitest";
import type { Json } from "../../engine/json.ts";
import { holdsExpected } from "./holds-expected.ts";
import { answerJson } from "./trial-view.ts";

const holds = (answer: Json, expected: Json) => {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  return holdsExpected(text, answerJson({ answer, text }), expected);
};

it("finds what is expected as a person would", () => {
  const found: [Json, Json][] = [
    ["It is PARIS, of course.", "paris"],
    ["No such  order\nexists.", "no such order"],
    ["No\u00A0such order", " no such order "],
    ["Cafe\u0301 Noir", "café noir"],
    ["It’s “done”.", 'It\'s "done".'],
    ["The total is 84.", "84"],
    ["The total is 84.", 84],
    ["84kg", 84],
    ["That makes 1,000 in all", 1000],
    ["That makes $1,234,567.50.", "1234567.5"],
    ["84.00", "84"],
    ["It is −4 °C", -4],
    ["from 3-4 people", 4],
    ["id 7615917337495251231", "7615917337495251231"],
    ["Order 42, please", "order 42"],
    ["true", true],
    [{ city: "Oslo", degrees: 4 }, "oslo"],
    [{ say: 'He said "hi"' }, 'said "hi"'],
    [{ degrees: 1000 }, 1000],
    [{ city: "Oslo", more: { a: 1, b: 2 } }, { more: { b: 2 } }],
    ['```json\n{"city":"Oslo","degrees":4}\n```', { city: "Oslo" }],
    ["Oslo and Rome", ["rome", "Oslo"]],
    [["Oslo", "Rome"], ["Rome"]],
    [[{ id: 1, name: "a" }, { id: 2 }], [{ id: 2 }]],
    ["返品は30日以内です", "30日以内"],
  ];
  expect(found.filter(([answer, expected]) => !holds(answer, expected))).toEqual([]);
});

it("finds nothing that is not there, and no part of a number", () => {
  const missing: [Json, Json][] = [
    ["42", 4],
    ["It is 4.5", 4],
    ["version 1.2.3", 2],
    ["1,084", "84"],
    ["12,345", 12],
    ["It is -4", 4],
    ["It is 4", -4],
    ["Order 42", "order 4"],
    ["$50", "$5"],
    ["15 %", "5 %"],
    ["7615917337495251299", "7615917337495251231"],
    ["", "x"],
    ["Oslo", ["Oslo", "Rome"]],
    ["Oslo", { city: "Oslo" }],
    [{ city: "Rome" }, { city: "Oslo" }],
    [{ city: "Oslo" }, { city: "Oslo", degrees: 4 }],
    ["false", true],
  ];
  expect(missing.filter(([answer, expected]) => holds(answer, expected))).toEqual([]);
});
