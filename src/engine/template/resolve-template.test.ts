import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TemplatePlace } from "../config/field.ts";
import type { Json } from "../json.ts";
import { compileTemplate, resolveTemplate } from "./resolve-template.ts";
import { recordScope } from "./scope.ts";
import { TemplateProblem } from "./template-problem.ts";

const scope = recordScope({
  json: {
    name: "Ada",
    count: 5,
    ratio: 2.5,
    list: [1, 2, { deep: "yes" }],
    words: ["a", "b"],
    nothing: null,
    "odd key": "odd",
    object: { a: 1 },
    evil: "{{json.name}} ${json.name} {{constructor}}",
  },
  search: { hits: ["x"] },
  now: new Date("2026-01-02T03:04:05.000Z"),
});

const resolve = (text: string, place: TemplatePlace = "value", values = scope) =>
  resolveTemplate(compileTemplate(text), values, { place });

function problemOf(text: string, place: TemplatePlace = "value", values = scope): TemplateProblem {
  try {
    const result = resolve(text, place, values);
    throw new Error(`${text} gave ${JSON.stringify(result)}.`);
  } catch (error) {
    if (error instanceof TemplateProblem) return error;
    throw error;
  }
}

describe("templates", () => {
  it("keep the type of a single expression and the data as it is", () => {
    expect(resolve("{{json.count}}")).toBe(5);
    expect(resolve(" {{ json.list }} ")).toEqual([1, 2, { deep: "yes" }]);
    expect(resolve("{{json.object}}")).toBe(resolve("{{json.object}}"));
    expect(resolve("{{json.nothing}}")).toBe(null);
    expect(resolve("{{now}}")).toBe("2026-01-02T03:04:05.000Z");
    expect(resolve("{{json.count > 3 && json.name == 'Ada'}}")).toBe(true);
  });

  it("insert values into text", () => {
    expect(resolve("Hi {{json.name}}, {{json.count}} of {{json.object}}{{json.nothing}}!", "text")).toBe(
      'Hi Ada, 5 of {"a":1}!',
    );
    expect(resolve("{{json.count}}", "text")).toBe("5");
    expect(resolve("no expression")).toBe("no expression");
  });

  it("calculate with JSON numbers and whole literals alike", () => {
    expect(resolve("{{json.count + 1}}")).toBe(6);
    expect(resolve("{{json.count * 2.5 - 1}}")).toBe(11.5);
    expect(resolve("{{json.count % 2}}")).toBe(1);
    expect(resolve("{{7 / 2}}")).toBe(3);
    expect(resolve("{{json.list[2].deep + json.name.substring(json.count - 4)}}")).toBe("yesda");
    expect(resolve("{{now + duration('1h')}}")).toBe("2026-01-02T04:04:05.000Z");
  });

  it("loop, bind and match", () => {
    expect(resolve("{{json.words.map(w, w + '!').join(', ')}}")).toBe("a!, b!");
    expect(resolve("{{json.list.filter(x, type(x) == double && x > 1)}}")).toEqual([2]);
    expect(resolve("{{cel.bind(x, json.count + 1, [x, x])}}")).toEqual([6, 6]);
    expect(resolve("{{json.name.matches('^A.a$') && !json.name.matches('b')}}")).toBe(true);
    expect(resolve('{{ {"a": {"b": [json.count]}}.a.b[0] }}')).toBe(5);
    expect(resolve("{{json.?missing.orValue('none')}}")).toBe("none");
    expect(resolve("{{has(json.missing) ? 1 : 2}}")).toBe(2);
    expect(resolve('{{json["odd key"]}}')).toBe("odd");
  });

  it("end an expression where its braces and quotes do", () => {
    expect(resolve('{{"}}"}}')).toBe("}}");
    expect(resolve('{{ {"a":{"b":1}} }}')).toEqual({ a: { b: 1 } });
    expect(problemOf("text {{json.name").message).toContain("not closed");
  });

  it("name what is missing, where, and the nearest name", () => {
    const wrong = problemOf("Hi {{json.nme}}", "text");
    expect(wrong).toMatchObject({ kind: "missing", position: 10, hint: 'Did you mean "name"?' });
    expect(wrong.message).toBe('"json.nme" does not exist.');
    expect(problemOf("{{jsn.name}}").hint).toBe('Did you mean "json"?');
    expect(problemOf("{{json.list[9]}}").hint).toContain("3 items");
    expect(problemOf("{{json.name.first}}").hint).toContain("string");
    expect(problemOf("{{json.nme + 'x'}}")).toMatchObject({ position: 7, hint: 'Did you mean "name"?' });
    expect(problemOf("{{json.words.map(w, w + json.nme)}}").hint).toBe('Did you mean "name"?');
  });

  it("explain syntax and type errors with their position", () => {
    expect(problemOf("ab {{json.name +}}")).toMatchObject({ kind: "syntax", position: 16 });
    expect(problemOf("{{json.name + 1}}").hint).toContain("string(");
    expect(problemOf("{{}}").message).toContain("empty");
    expect(problemOf("{{nope(1)}}").kind).toBe("value");
    expect(problemOf("{{1.0 / 0.0}}").message).toContain("infinite");
  });

  it.each([
    ["{{json.a }", "A } is missing here.", 9],
    ["{{ {'a': 1 }}", "A } is missing here.", 12],
    ["{{(json.a}}", "A ) is missing here.", 9],
    ["{{json[}}", "A ] is missing here.", 7],
    ["{{'abc}}", "A ' is missing: the text in quotes does not end.", 0],
    ["{{json.a", "The expression that starts here is not closed.", 0],
    ["{{json.a +}}", "The expression ends too early: a value is missing here.", 10],
    ["{{json.a ? 1}}", "A : is missing at the end.", 12],
    ["{{json..a}}", "A name is missing here.", 7],
    ["{{json.a = 1}}", "The “=” does not belong here.", 9],
    ["{{json.a)}}", "The “)” does not belong here.", 8],
    ["{{json.a ?? 1}}", "A value is missing here.", 10],
    ["{{$json.a}}", "The “$” does not belong here.", 2],
  ])("says of %s in words what is wrong", (text, message, position) => {
    expect(problemOf(text)).toMatchObject({ kind: "syntax", message, position });
  });

  it("give an identity only what tells one from another", () => {
    const identity = (text: string, json: Json, isDefault = false) =>
      resolveTemplate(compileTemplate(text), recordScope({ json }), { place: "text", identity: true, isDefault });
    expect(identity("{{json.session}}", {}, true)).toBe("");
    expect(identity("user-{{json.id}}", { id: 7 })).toBe("user-7");
    expect(identity("{{json.id}}", { id: "ann" })).toBe("ann");
    for (const text of ["{{json.id}}", "user-{{json.id}}", "{{json.a.b}}-{{json.id}}", "{{json.a.b + json.id}}"]) {
      expect(() => identity(text, { a: { b: "x" } }), text).toThrow(/does not exist|No such key/);
    }
    const nobody: Json[] = [null, "", "  ", [], {}, { id: 1 }, ["ann"], true, false];
    for (const id of nobody) {
      expect(() => identity("{{json.id}}", { id }), JSON.stringify(id)).toThrow("cannot tell one conversation");
      expect(() => identity("user-{{json.id}}", { id }, true)).toThrow("cannot tell one conversation");
    }
  });

  it("S27 constructor and prototype are out of reach in every spelling", () => {
    const names = [
      "constructor",
      "__proto__",
      "prototype",
      "toString",
      "valueOf",
      "hasOwnProperty",
      "__defineGetter__",
    ];
    for (const name of names) {
      for (const expression of [
        name,
        `json.${name}`,
        `json["${name}"]`,
        `json['${name.slice(0, 3)}' + '${name.slice(3)}']`,
        `json.list.${name}`,
        `json.name.${name}`,
        `json.name["${name}"]`,
        `json.${name}.${name}("return 1")()`,
        `json.list.map(x, x.${name})`,
        `nodes.${name}`,
        `now.${name}`,
        `duration("1s").${name}`,
        `[duration("1s")].map(x, x["${name}"])`,
        `optional.of(now).?${name}.value()`,
        `cel.bind(x, now, x.${name})`,
        `b"x".${name}`,
        `type(json).${name}`,
        `json.?${name}.orValue(json.${name})`,
        `{"a": 1}.${name}`,
        `[1].${name}`,
        `cel.${name}`,
        `google.protobuf.${name}`,
      ]) {
        expect(problemOf(`{{${expression}}}`)).toBeInstanceOf(TemplateProblem);
      }
    }
    const own = recordScope({ json: JSON.parse('{"constructor":"plain","__proto__":"own"}') });
    expect(resolve("{{json.constructor}}-{{json.__proto__}}", "text", own)).toBe("plain-own");
  });

  it("S28 a value that holds a template stays text", () => {
    const evil = "{{json.name}} ${json.name} {{constructor}}";
    expect(resolve("{{json.evil}}")).toBe(evil);
    expect(resolve("a {{json.evil}} b", "text")).toBe(`a ${evil} b`);
  });

  it("S29 too long, too deep and too slow expressions are errors", () => {
    const kinds = [
      `{{${"1+".repeat(50_000)}1}}`,
      `{{${"(".repeat(10_000)}1${")".repeat(10_000)}}}`,
      `{{${"[".repeat(10_000)}`,
      `{{${"!".repeat(10_000)}true}}`,
      `{{${"-".repeat(4_000)}1}}`,
      `{{json${".a".repeat(2_000)}}}`,
      "{{1}}".repeat(20_000),
      `{{${"[1,2,3,4,5,6,7,8,9,10].map(a,".repeat(9)}a${")".repeat(9)}}}`,
      `{{${'["xxxxxxxx"]' + ".map(a, a+a+a+a+a+a+a+a+a+a)".repeat(9)}}}`,
      `{{${"cel.bind(a, [1], ".repeat(1)}${"cel.bind(a, a+a+a+a+a+a+a+a, ".repeat(11)}a${")".repeat(12)}}}`,
    ].map((text) => problemOf(text).kind);
    for (const kind of kinds) expect(["limit", "missing", "syntax"]).toContain(kind);
  });

  it("S29 a regular expression cannot blow up", () => {
    const long = recordScope({ json: { text: "a".repeat(5_000) } });
    expect(resolve("{{json.text.matches('^(a+)+$')}}", "value", long)).toBe(true);
    expect(resolve("{{json.text.matches('^(a|aa)+b$')}}", "value", long)).toBe(false);
    expect(resolve("{{json.text.matches('(a*)*(a*)*(a*)*c')}}", "value", long)).toBe(false);
  });

  it("S30 a value in a URL stays one component", () => {
    const hostile = "a/b?c=d#e&f@g:h\\i\r\n%2e ü🙂'\ud800";
    const value = recordScope({
      json: { hostile, dots: "..", dot: ".", base: "https://api.test/v1", js: "javascript:x" },
    });
    const url = new URL(
      String(resolve("https://api.test/items/{{json.hostile}}/end?q={{json.hostile}}", "url", value)),
    );
    expect(url.host).toBe("api.test");
    expect(url.pathname.split("/").length).toBe(4);
    expect([...url.searchParams.keys()]).toEqual(["q"]);
    expect(url.searchParams.get("q")).toBe(hostile.replace("\ud800", "\ufffd"));
    expect(problemOf("https://api.test/items/{{json.dots}}/end", "url", value).message).toContain("step");
    expect(problemOf("https://api.test/a/.{{json.dot}}/x", "url", value).kind).toBe("value");
    expect(resolve("{{json.base}}/x/{{json.hostile}}", "url", value)).toContain("https://api.test/v1/x/a%2Fb%3Fc");
    expect(problemOf("{{json.js}}/x", "url", value).message).toContain("cannot be continued");
    expect(problemOf("{{json.hostile}}/x", "url", value).message).toContain("cannot be continued");
  });

  it("S30 a value in a header cannot start another header", () => {
    const value = recordScope({ json: { line: "a\r\nX-Evil: 1", nul: "a\0b", fine: "a\tü" } });
    expect(problemOf("{{json.line}}", "header", value).message).toContain("header");
    expect(problemOf("Bearer {{json.line}}", "header", value).message).toContain("header");
    expect(problemOf("{{json.nul}}", "header", value).message).toContain("header");
    expect(resolve("x {{json.fine}}", "header", value)).toBe("x a\tü");
  });

  it("S30 a value in JSON cannot break out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const given: Json = JSON.parse(JSON.stringify(input));
        const value = recordScope({ json: { given } });
        const text = resolve('{"plain": {{json.given}}, "text": "<{{json.given}}>", "x": 1}', "json", value);
        const parsed = JSON.parse(String(text));
        const asText = typeof given === "string" ? given : given === null ? "" : JSON.stringify(given);
        expect(parsed).toEqual({ plain: given, text: `<${asText}>`, x: 1 });
      }),
    );
    expect(resolve("{{json.object}}", "json")).toEqual({ a: 1 });
    expect(resolve("name={{json.name}}", "json")).toBe("name=Ada");
  });

  it("S30 a missing path is an error and never the word undefined", () => {
    for (const place of ["text", "url", "header", "json", "sql", "value"] as const) {
      expect(problemOf("x{{json.missing}}", place).kind).toBe("missing");
    }
  });
});
