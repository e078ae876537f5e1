import { describe, expect, it } from "vitest";
import { writtenJson } from "./written-json.ts";

const first = (text: string) => [...writtenJson(text, false)][0];

describe("the JSON that a model wrote", () => {
  it.each<[string, string, unknown]>([
    ["the whole text", '{"a": 1}', { a: 1 }],
    ["a single value", " 42 ", 42],
    ["prose around it", 'Here you are: {"a": [1, 2]}. Anything else?', { a: [1, 2] }],
    ["a fence", 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
    ["the last of two fences", '```json\n{"a": 1}\n```\nBetter:\n```json\n{"a": 2}\n```', { a: 2 }],
    ["a fence that is not closed", 'Here:\n```\n{"a": 1}', { a: 1 }],
    ["a fence within a text", '{"a": "```js\\nx\\n```"}', { a: "```js\nx\n```" }],
    ["prose with a fence within a text", 'So: {"a": "use\\n```\\nx\\n```"} it is', { a: "use\n```\nx\n```" }],
    ["a comma after the last item", '{"a": [1, 2,], "b": ",]",}', { a: [1, 2], b: ",]" }],
    ["a line break within a text", '{"a": "one\ntwo\tthree"}', { a: "one\ntwo\tthree" }],
    ["brackets within a text", 'Result: {"a": "}] {", "b": "\\"}"}!', { a: "}] {", b: '"}' }],
    ["a bracket in the prose that is never closed", 'Sets {x are "odd". {"a": 1}', { a: 1 }],
    ["brackets that close nothing", 'See (3]) and }: {"a": 1}', { a: 1 }],
    ["digits that a double cannot hold", '{"id": 7615917337495251231}', { id: "7615917337495251231" }],
  ])("is read from %s", (_name, text, value) => {
    expect(first(text)).toEqual(value);
  });

  it("is none where there is none", () => {
    for (const text of ["", "It is cold.", '{"a": 1', "``` ```"]) expect(first(text)).toBeUndefined();
  });

  it("begins with the longest list or object where that is wanted", () => {
    const text = 'As in [1], the answer is {"city": "Oslo", "degrees": -3}.';
    expect([...writtenJson(text, false)]).toEqual([[1], { city: "Oslo", degrees: -3 }]);
    expect([...writtenJson(text, true)][0]).toEqual({ city: "Oslo", degrees: -3 });
  });

  it.each(["[", "{", "}", "]", '"', "[{", "]}[", '{"', ",]", "```\n", "\\", '\\"', '","'])(
    "ends for a long text of %s",
    (sign) => {
      for (const text of [`x${sign.repeat(200_000)}`, `"${sign.repeat(200_000)}`, `"${sign.repeat(200_000)}\\`])
        expect(Array.isArray([...writtenJson(text, true)])).toBe(true);
    },
  );
});
