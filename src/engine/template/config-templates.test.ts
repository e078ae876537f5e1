import { describe, expect, it } from "vitest";
import { z } from "zod/mini";
import { field } from "../config/field.ts";
import { RunError } from "../errors.ts";
import { aiParameters, conflictingParameters } from "./ai-parameters.ts";
import { compileConfig, resolveConfig } from "./config-templates.ts";
import { recordScope } from "./scope.ts";

const config = z.object({
  url: field(z._default(z.string(), ""), { label: "URL", help: "Where.", template: "url", ai: true }),
  headers: field(z._default(z.record(z.string(), z.string()), {}), {
    label: "Headers",
    help: "With.",
    template: "header",
    ai: true,
  }),
  session: field(z._default(z.string(), "{{json.session}}"), {
    label: "Session",
    help: "Whose.",
    template: "text",
    identity: true,
  }),
  code: field(z._default(z.string(), ""), { label: "Code", help: "Not a template." }),
  signed: field(z._default(z.boolean(), false), { label: "Signed", help: "Whether." }),
  signature: field(z._default(z.string(), ""), {
    label: "Signature",
    help: "By whom.",
    template: "text",
    ai: true,
    visibleWhen: { field: "signed", in: [true] },
  }),
});

const owner = { id: "n1", title: "Fetch" };
const scope = recordScope({ json: { base: "b", text: "{{json.base}}" } });
const compile = (raw: Parameters<typeof compileConfig>[1]) => compileConfig({ config }, raw);

function errorOf(run: () => unknown): RunError {
  try {
    run();
  } catch (error) {
    if (error instanceof RunError) return error;
  }
  throw new Error("It did not fail.");
}

describe("S72 templates that would make hundreds of megabytes", () => {
  const big = recordScope({ json: { text: "x".repeat(1_000_000) } });
  const many = "a {{json.text}} ".repeat(400);

  it.each([
    ["in one text", { url: many }],
    [
      "in many entries",
      { headers: Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`h${n}`, "a {{json.text}}"])) },
    ],
  ])("are an error: %s", (_name, raw) => {
    const { code, message } = errorOf(() => resolveConfig(owner, compile(raw), big)).data;
    expect(code).toBe("expression_error");
    expect(message).toContain("more than 10 million characters");
  });

  it("are none where a few fit", () => {
    const { url } = resolveConfig(owner, compile({ url: "a {{json.text}} ".repeat(3) }), big);
    expect(String(url)).toHaveLength(3_000_009);
  });
});

describe("config templates", () => {
  it("resolve fields that take templates, defaults and nested texts included, and nothing else", () => {
    const raw = {
      url: "https://x.test/{{json.base}}",
      headers: { a: "{{json.base}}", b: "plain" },
      code: "{{json.base}}",
    };
    expect(resolveConfig(owner, compile(raw), scope)).toEqual({
      url: "https://x.test/b",
      headers: { a: "b", b: "plain" },
      session: "",
      code: "{{json.base}}",
    });
  });

  it("leave out what does not show: it is neither resolved nor asked for nor wrong", () => {
    const raw = { signature: '{{json.nobody}} {{ai("by","who signs","string")}}' };
    expect(resolveConfig(owner, compile(raw), scope)).toMatchObject(raw);
    expect(aiParameters(compile(raw))).toMatchObject({ properties: {} });
    expect(compile({ signature: "{{" }).problems).toEqual([]);
    expect(aiParameters(compile({ ...raw, signed: true }))).toMatchObject({ required: ["by"] });
    expect(errorOf(() => resolveConfig(owner, compile({ ...raw, signed: true }), scope)).data.code).toBe(
      "expression_error",
    );
  });

  it("name node, field and position of what cannot be resolved", () => {
    const missing = errorOf(() => resolveConfig(owner, compile({ url: "https://x.test/{{json.bse}}" }), scope));
    expect(missing.data).toMatchObject({
      code: "expression_error",
      nodeId: "n1",
      cause: { field: "url", position: 22 },
    });
    expect(missing.message).toBe('"Fetch", field "URL", character 23: "json.bse" does not exist.');
    const broken = errorOf(() => resolveConfig(owner, compile({ headers: { a: "{{(}}" } }), scope));
    expect(broken.message).toContain('field "Headers", "a", character 4');
    const lost = errorOf(() => resolveConfig(owner, compile({ headers: { a: "ok", b: "x{{json.bse}}" } }), scope));
    expect(lost.message).toBe('"Fetch", field "Headers", "b", character 9: "json.bse" does not exist.');
  });

  it("make the model's part parameters of a JSON Schema", () => {
    const templates = compile({
      url: 'https://x.test/{{ai("id","the order","integer")}}?q={{ai("q","","string","none")}}',
      headers: { a: '{{"x-" + ai("id")}}', b: '{{ai("list","some","array",["a"])}}' },
    });
    expect(aiParameters(templates)).toEqual({
      type: "object",
      properties: {
        id: { type: "integer", description: "the order" },
        q: { type: "string", default: "none" },
        list: { type: "array", description: "some", default: ["a"] },
      },
      required: ["id"],
      additionalProperties: false,
    });
    expect(conflictingParameters(templates)).toEqual(["id"]);
  });

  it("S28 S30 fill in the model's part once, encoded for its place", () => {
    const templates = compile({ url: 'https://x.test/{{ai("id","the order","string")}}/{{json.base}}' });
    const fill = (id: string) => resolveConfig(owner, templates, scope, { values: { id } }).url;
    expect(fill("a/../../b?c")).toBe("https://x.test/a%2F..%2F..%2Fb%3Fc/b");
    expect(fill("{{json.base}}")).toBe("https://x.test/%7B%7Bjson.base%7D%7D/b");
    expect(errorOf(() => fill("..")).data.code).toBe("expression_error");
    expect(errorOf(() => resolveConfig(owner, templates, scope)).message).toContain('argument "id"');
  });

  it("leave the model's part and missing paths as they are where that is asked for", () => {
    const unresolved: string[] = [];
    const templates = compile({ url: '{{ai("u")}}', headers: { a: "{{json.later}}" } });
    const options = { keepAi: true, keepMissing: true, unresolved };
    expect(resolveConfig(owner, templates, scope, options)).toMatchObject({
      url: '{{ai("u")}}',
      headers: { a: "{{json.later}}" },
    });
    expect(unresolved).toEqual(["url", "headers"]);
  });

  it("take a default that is worked out from the run's data, by an expression or by templates in its text", () => {
    const templates = compile({
      url: 'https://x.test/{{ai("id","the order","string", json.base + "1")}}?q={{ai("q","","string","{{json.base}}-x")}}',
      headers: { a: '{{ai("n","how many","json","{{json.count}}")}}' },
    });
    expect(templates.problems).toEqual([]);
    expect(aiParameters(templates)).toEqual({
      type: "object",
      properties: {
        id: { type: "string", description: "the order" },
        q: { type: "string" },
        n: { description: "how many" },
      },
      required: [],
      additionalProperties: false,
    });
    const data = recordScope({ json: { base: "b", count: 3 } });
    expect(resolveConfig(owner, templates, data, { values: {} })).toMatchObject({
      url: "https://x.test/b1?q=b-x",
      headers: { a: "3" },
    });
    // What the model gives is text, whatever it looks like.
    const given = resolveConfig(owner, templates, data, { values: { id: "7", q: "{{json.base}}", n: 1 } });
    expect(given).toMatchObject({ url: "https://x.test/7?q=%7B%7Bjson.base%7D%7D", headers: { a: "1" } });
    expect(errorOf(() => resolveConfig(owner, templates, recordScope({ json: {} }), { values: {} })).message).toContain(
      "base",
    );
    for (const call of [
      'ai("a","","string", ai("b"))',
      'ai("a","","string","{{ai(1)}}")',
      'ai("a","","string", json.)',
    ])
      expect(compile({ url: `{{${call}}}` }).problems.map(({ problem }) => problem.kind)).toEqual(["syntax"]);
  });

  it("explain a badly written ai(…)", () => {
    for (const call of [
      "ai()",
      "ai(json.name)",
      'ai("a b")',
      'ai("a","b","text")',
      'ai("a",1)',
      'ai("a","b","string",1,2)',
    ]) {
      expect(compile({ url: `{{${call}}}` }).problems.map(({ problem }) => problem.kind)).toEqual(["syntax"]);
    }
  });
});
