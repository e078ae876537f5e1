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
    expect(problemOf("$$ {{json.name}} $$").message).toContain("inside quotes");
    expect(problemOf("E'\\'{{json.name}}'").message).toContain("inside quotes");
    expect(problemOf('"{{json.name}}" = 1').message).toContain("name in SQL");
    expect(bindSql(compileTemplate(`"it's" = 'a' and b = {{json.n}}`), scope).values).toEqual([3]);
  });

  it.each([
    ["a = 1 -- {{json.name}}", "a = 1 -- …", []],
    ["-- it's {{json.missing}}, $5\na = {{json.n}}", "-- it's …, $5\na = $1", [3]],
    ["/* {{json.n}} /* {{json.n}} */ it's {{json.n}} */ a = {{json.n}}", "/* … /* … */ it's … */ a = $1", [3]],
    ["note = '--' and a = {{json.n}} --", "note = '--' and a = $1 --", [3]],
    ['"/*" = {{json.n}} /* "', '"/*" = $1 /* "', [3]],
    ["a - -{{json.n}}", "a - -$1", [3]],
    ["a */ {{json.n}}", "a */ $1", [3]],
    ["-- it's\ra = {{json.n}}", "-- it's\ra = $1", [3]],
    ["$$it's $1$$ = {{json.n}}", "$$it's $1$$ = $1", [3]],
    ["$a$ $$ -- $a$ = {{json.n}}", "$a$ $$ -- $a$ = $1", [3]],
    ["E'it\\'s' = {{json.n}}", "E'it\\'s' = $1", [3]],
    ["e'it''s \\' --' = {{json.n}}", "e'it''s \\' --' = $1", [3]],
    ["'C:\\' = {{json.n}}", "'C:\\' = $1", [3]],
    ["a$$b = {{json.n}}", "a$$b = $1", [3]],
  ])("leaves values out of comments: %s", (template, text, values) => {
    expect(bindSql(compileTemplate(template), scope)).toEqual({ text, values });
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
