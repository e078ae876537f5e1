import { runInThisContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import type { Json } from "../engine/json.ts";
import { compileExpression } from "../engine/template/expression.ts";
import { recordScope } from "../engine/template/scope.ts";
import { CodeFile } from "./code-file.ts";
import { expressionCode } from "./expression-code.ts";
import { helperCode } from "./helper-code.ts";
import { textCode, valueCode } from "./template-code.ts";

const variables = {
  json: {
    message: "Hello there",
    count: 3,
    price: 2.5,
    isOpen: true,
    nothing: null,
    tags: ["b", "a", "b"],
    orders: [
      { id: 1, total: 12.5, items: ["x"] },
      { id: 2, total: 7, items: [] },
    ],
    customer: { name: "Ada", "first-name": "A" },
  },
  nodes: { find_customer: { id: 7 } },
  vars: { region: "eu" },
};

const placeOf = (file: CodeFile, args?: string) => ({
  file,
  node: "Step",
  workflow: { id: "w", name: "W" },
  isNode: (name: string) => name === "find_customer",
  ...(args === undefined ? {} : { args }),
});

/** What a piece of a program gives. */
function evaluate(code: string, file: CodeFile, args: Json = {}): unknown {
  const source = `type Json = any;\n${helperCode(file)}\nreturn (${code});`;
  const made = ts.transpile(source, { target: ts.ScriptTarget.ES2023 });
  const run: unknown = runInThisContext(`(function (json, nodes, vars, args) {${made}})`);
  if (typeof run !== "function") throw new Error("The code is no function.");
  return run(variables.json, variables.nodes, variables.vars, args);
}

describe("an expression as TypeScript gives what it gives in the studio", () => {
  it.each([
    "json.message",
    "json.customer.name",
    'json.customer["first-name"]',
    "json.orders[1].total",
    "json.?missing.orValue(5)",
    "json.?customer.?name.orValue('?')",
    "json.count + 1",
    "json.count * json.price - 2",
    "json.count % 2",
    "json.message + '!'",
    "json.count > 2 && json.isOpen",
    "!json.isOpen || json.count <= 3",
    "json.count == 3 ? 'three' : 'other'",
    "json.message == 'Hello there'",
    "json.tags == ['b', 'a', 'b']",
    "json.tags != ['b']",
    "json.nothing == null",
    "'a' in json.tags",
    "'name' in json.customer",
    "size(json.orders)",
    "json.message.size()",
    "has(json.customer.name)",
    "json.orders.map(o, o.total)",
    "json.orders.filter(o, size(o.items) > 0).map(o, o.id)",
    "json.orders.exists(o, o.total > 10.0)",
    "json.orders.all(o, o.total > 10.0)",
    "json.message.contains('there')",
    "json.message.startsWith('Hello')",
    "upper(json.message)",
    "lower(trim('  Ab '))",
    "join(json.tags, '-')",
    "split('a,b', ',')",
    "unique(json.tags)",
    "first(json.tags)",
    "last(json.tags)",
    "keys(json.customer)",
    "round(json.price * 1.25, 2)",
    "sum(json.orders.map(o, o.total))",
    "toJson(json.customer)",
    "parseJson('[1,2]')",
    "text(json.orders[0])",
    "coalesce(json.nothing, 'x')",
    "nodes.find_customer.id",
    "find_customer.id",
    "vars.region",
    "{'a': json.count, 'b': [1, 2.5]}",
    "-json.count",
    "workflow.name",
  ])("%s", (source) => {
    const file = new CodeFile();
    const scope = recordScope({ ...variables, ...variables.nodes, workflow: { id: "w", name: "W" } });
    const expected = compileExpression(source).evaluate(scope);
    expect(evaluate(expressionCode(source, placeOf(file)), file)).toEqual(expected);
    expect(file.notes).toEqual([]);
  });

  it("with what the model fills in", () => {
    const file = new CodeFile();
    const place = placeOf(file, "args");
    expect(evaluate(textCode('/orders/{{ai("id", "the order", "string")}}', place, "url"), file, { id: "a/b" })).toBe(
      "/orders/a%2Fb",
    );
    expect(evaluate(expressionCode('ai("limit", "how many", "integer", 10)', place), file)).toBe(10);
  });
});

describe("templates as TypeScript", () => {
  const code = (text: string, kind?: "url" | "json") => {
    const file = new CodeFile();
    return evaluate(textCode(text, placeOf(file), kind), file);
  };

  it("keep text as it is, with what would end a template literal", () => {
    expect(code("`${x}` \\n {{json.count}}\r\n'\"")).toBe("`${x}` \\n 3\r\n'\"");
    expect(code("plain `text` ${y}")).toBe("plain `text` ${y}");
    expect(code("broken {{ json.count")).toBe("broken {{ json.count");
  });

  it("encode values for where they stand", () => {
    expect(code('{"name": "{{json.customer.name}} \\"x\\"", "tags": {{json.tags}}}', "json")).toBe(
      '{"name": "Ada \\"x\\"", "tags": ["b","a","b"]}',
    );
    expect(code("https://example.com/{{json.message}}?q={{json.tags}}", "url")).toBe(
      "https://example.com/Hello%20there?q=%5B%22b%22%2C%22a%22%2C%22b%22%5D",
    );
  });

  it("keep the type of a value that is one expression", () => {
    const file = new CodeFile();
    const value = { a: "{{json.count}}", b: ["{{json.tags}}", "x{{json.count}}"], __proto__x: null, "odd name": true };
    expect(evaluate(valueCode(value, placeOf(file)), file)).toEqual({
      a: 3,
      b: [["b", "a", "b"], "x3"],
      __proto__x: null,
      "odd name": true,
    });
  });
});

it("what has no counterpart throws where it is reached, and is noted once", () => {
  const file = new CodeFile();
  const code = expressionCode('formatDate(now, "yyyy")', placeOf(file));
  expect(() => evaluate(code, file)).toThrow('The expression {{formatDate(now, "yyyy")}} is not part of this program');
  expressionCode('formatDate(now, "yyyy")', placeOf(file));
  expressionCode("json.(", placeOf(file));
  expect(file.notes.map(({ note }) => note)).toEqual([
    expect.stringContaining("the function formatDate is the studio's own"),
    expect.stringContaining("it cannot be read"),
  ]);
});
