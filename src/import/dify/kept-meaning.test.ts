import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../engine/json.ts";
import { compileExpression } from "../../engine/template/expression.ts";
import { recordScope } from "../../engine/template/scope.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { difyWorkflow } from "../testing/dify-app.ts";
import { fieldsOf } from "../n8n/node-work.ts";
import { readImported } from "../testing/read-imported.ts";

const read = (data: object) =>
  readImported(
    difyWorkflow(
      [
        { type: "start", title: "Start", variables: [{ variable: "q", type: "text-input" }] },
        { title: "It", ...data },
      ],
      [["n0", "n1"]],
    ),
    nodeRegistry,
  );
const value = (template: unknown, start: JsonObject) =>
  compileExpression(String(template).slice(2, -2)).evaluate(recordScope({ json: start, nodes: { start } }));

describe("a condition of Dify", () => {
  it.each<[string, Json, boolean]>([
    ["is not", null, false],
    ["≠", null, false],
    ["is not", "b", true],
    ["is not", "a", false],
    ["not contains", null, true],
    ["is", null, false],
  ])("%s for %j is %j", (operator, q, holds) => {
    const condition = { variable_selector: ["n0", "q"], comparison_operator: operator, value: "a" };
    const { node } = read({ type: "if-else", cases: [{ case_id: "true", conditions: [condition] }] });
    expect(value(node("It")?.config.condition, { q })).toBe(holds);
  });
});

describe("a list of Dify", () => {
  const list = (more: object) => read({ type: "list-operator", variable: ["n0", "q"], ...more });
  const result = (more: object, start: JsonObject) =>
    value(fieldsOf(list(more).node("It")?.config.fields).result, start);
  const by = (comparison_operator: string, wanted: string) => ({
    filter_by: { enabled: true, conditions: [{ key: "", comparison_operator, value: wanted }] },
  });

  it("keeps its order, plain or by a key", () => {
    const order = (order_by: object) => ({ order_by: { enabled: true, ...order_by } });
    expect(result(order({ key: "", value: "desc" }), { q: [9, 10, 1] })).toEqual([10, 9, 1]);
    expect(result(order({ key: "", value: "asc" }), { q: ["b", "a"] })).toEqual(["a", "b"]);
    expect(result(order({ key: "n", value: "desc" }), { q: [{ n: 1 }, { n: 2 }] })).toEqual([{ n: 2 }, { n: 1 }]);
  });

  it("is filtered by a variable, and by nothing where the comparison is not known", () => {
    expect(result(by("is", "{{#n0.w#}}"), { q: ["a", "b"], w: "b" })).toEqual(["b"]);
    expect(result(by("contains", "x{{#n0.w#}}"), { q: ["xb1", "b"], w: "b" })).toEqual(["xb1"]);
    expect(result(by("resembles", "a"), { q: ["a"] })).toEqual([]);
    expect(list(by("resembles", "a")).entry("It")).toMatchObject({
      outcome: "approximated",
      note: expect.stringContaining("resembles"),
    });
  });
});

describe("the lines of a request of Dify", () => {
  const request = (more: object) => read({ type: "http-request", method: "post", url: "https://a.test", ...more });

  it("are read whatever blanks stand before them, and all of a name", () => {
    const headers = "A: 1\n  B: 2\n\tC : 3:4\nA:5";
    const { node } = request({ headers, params: "id:1\n id:2\nflag\nq: {{#n0.q#}}" });
    expect(node("It")?.config).toMatchObject({
      headers: { A: "1, 5", B: "2", C: "3:4" },
      query: { id: ["1", "2"], flag: "", q: expect.stringContaining("{{") },
    });
  });

  it("become a placeholder where a form would lose one", () => {
    const body = (data: Json) => ({ body: { type: "x-www-form-urlencoded", data } });
    expect(request(body("a:1\na:2")).node("It")?.type).toBe("placeholder");
    expect(request(body("a:1\n b: 2")).node("It")?.config).toMatchObject({ form: { a: "1", b: "2" } });
  });
});
