import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bindSql, resolveSql } from "./bind-sql.ts";
import { compileTemplate, wholeAiCall } from "./resolve-template.ts";
import { recordScope } from "./scope.ts";
import { TemplateProblem } from "./template-problem.ts";

const scope = recordScope({ json: { name: "x'; drop table users; --", list: [{ column: "id" }], n: 3 } });

function problemOf(text: string): TemplateProblem {
  try {
    bindSql(compileTemplate(text), scope);
  } catch (error) {
    if (error instanceof TemplateProblem) return error;
  }
  throw new Error("It did not fail.");
}

describe("SQL with templates", () => {
  it("S30 a value is bound and never joined", () => {
    expect(bindSql(compileTemplate("name = {{json.name}} and age > {{3}}"), scope)).toEqual({
      text: "name = $1 and age > $2",
      values: ["x'; drop table users; --", 3],
    });
  });

  it("S30 whatever a value is, the text stays the author's", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const given = recordScope({ json: { value: JSON.parse(JSON.stringify(value)) } });
        const { text, values } = bindSql(compileTemplate("note = {{json.value}}"), given);
        expect(text).toBe("note = $1");
        expect(values).toEqual([JSON.parse(JSON.stringify(value))]);
      }),
    );
  });

  it("refuses a value within quotes, where it would be text", () => {
    expect(problemOf("a = 'it''s' and name = '{{json.name}}'")).toMatchObject({ kind: "value", position: 26 });
    expect(problemOf("name like '%{{json.name}}%'").hint).toContain("like {{'%'");
    expect(problemOf('"{{json.name}}" = 1').message).toContain("name in SQL");
    expect(bindSql(compileTemplate(`"it's" = 'a' and b = {{json.n}}`), scope).values).toEqual([3]);
  });

  it("refuses numbers of the author beside templates", () => {
    expect(problemOf("a = {{json.n}} and b = $1").message).toContain("$1");
    expect(bindSql(compileTemplate("a = $1"), scope)).toEqual({ text: "a = $1", values: [] });
  });

  it("S30 data alone is a value; lists and objects are conditions; what the model gives as a whole may be SQL", () => {
    expect(resolveSql(compileTemplate("{{json.name}}"), scope)).toEqual({
      sql: "$1",
      parameters: ["x'; drop table users; --"],
    });
    expect(resolveSql(compileTemplate("{{json.list}}"), scope)).toEqual([{ column: "id" }]);
    const whole = compileTemplate('{{ai("where", "which rows", "json")}}');
    expect(resolveSql(whole, scope, { where: "status = 'open'" })).toBe("status = 'open'");
    const joined = compileTemplate('{{ai("where", "", "string") + json.name}}');
    expect(resolveSql(joined, scope, { where: "a" })).toMatchObject({ sql: "$1" });
  });
});

it("a text that is one ai(…) and nothing else is told from one that holds it", () => {
  expect(wholeAiCall(' {{ ai("rows", "what to add", "array") }} ')).toMatchObject({ name: "rows", type: "array" });
  for (const text of ["rows", '{{ai("a")}} {{ai("b")}}', '{{ai("a") + "b"}}', "{{json.a}}", "{{", '{{ai("a b")}}'])
    expect(wholeAiCall(text)).toBeUndefined();
});
