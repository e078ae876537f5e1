import { describe, expect, it } from "vitest";
import { loadQuickJs } from "../../host/sandbox/load-quickjs.ts";
import { runCode } from "../../host/sandbox/run-code.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { JsonObject } from "../../engine/json.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { importForeign } from "../index.ts";
import { difyChat, difyWorkflow } from "../testing/dify-app.ts";
import { readImported } from "../testing/read-imported.ts";
import { renderJinja } from "./jinja.ts";

const read = (source: unknown) => readImported(source, nodeRegistry);
const start = { type: "start", title: "Start", variables: [{ variable: "topic", type: "text-input", default: "x" }] };
const one = (data: object) => read(difyWorkflow([start, { title: "It", ...data }], [["n0", "n1"]]));
const model = { provider: "langgenius/anthropic/anthropic", name: "claude-sonnet-4-6", completion_params: {} };

/** What is wrong besides what a person has to choose. */
function wrong(source: unknown) {
  return validateWorkflow(read(source).document, nodeRegistry)
    .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
    .filter(({ message }) => !message.includes("waits for your review") && message !== "Collection is required.");
}

describe("a chat app of Dify", () => {
  const { document, report, node, edges, entry, format } = read(difyChat);

  it("names every node and edge of the file once", () => {
    expect(format).toBe("dify");
    expect(report.nodes).toMatchObject({ total: 11, placeholder: 0, needsCredential: 1 });
    expect(report.edges).toEqual({ total: 9, mapped: 9, reported: 0 });
    expect(report.entries.filter(({ about }) => about === "edge")).toHaveLength(9);
    expect(report.expressions.unsupported).toBe(0);
    expect(entry("Think")).toMatchObject({ targetType: "ai-agent", outcome: "needsCredential" });
  });

  it("gives a prompt its agent, its model and its memory", () => {
    expect(node("Think")?.config).toMatchObject({
      systemPrompt: 'You work in {{vars.?region.orValue(null)}} and are {{"calm"}}.',
      userMessage: "{{nodes.?begin.?message.orValue(null)}}",
    });
    expect(node("gpt-4o-mini")).toMatchObject({ type: "openai-model", config: { temperature: 0.3, maxTokens: 200 } });
    expect(node("Memory of Think")?.config).toMatchObject({ maxMessages: 8 });
    expect(edges).toContain("gpt-4o-mini.model > Think.model");
    expect(edges).toContain("Memory of Think.memory > Think.memory");
  });

  it("has a loop with its item and its result, conditions and answers", () => {
    expect(edges).toContain("Stops.main > Item of Stops.main");
    expect(edges).toContain("Stop.main > Result of Stops.main");
    expect(edges).toContain("Stops.done > Card.main");
    expect(edges).toContain("Which way?.case1 > Names.main");
    expect(edges).toContain("Which way?.default > Otherwise.main");
    expect(node("Note")).toMatchObject({ type: "sticky-note", config: { text: "A note", tint: "blue" } });
    expect(node("Begin")?.config).toMatchObject({ questions: ["Where shall I go?"] });
    expect(wrong(difyChat)).toEqual([]);
  });

  it("names secrets and features that do not come along, and keeps other variables", () => {
    expect(document.vars).toEqual({ region: "north" });
    expect(report.entries).toContainEqual(expect.objectContaining({ about: "credential", sourceType: "desk_key" }));
    expect(report.entries).toContainEqual(
      expect.objectContaining({ about: "setting", sourceType: "opening_statement" }),
    );
  });
});

describe("nodes of Dify", () => {
  it("llm: several messages, a schema and the provider's own model node", () => {
    const prompt = [
      { role: "system", text: "Be brief." },
      { role: "user", text: "Hi" },
      { role: "assistant", text: "Hello" },
      { role: "user", text: "About {{#n0.topic#}} {{plain}}" },
    ];
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const made = one({
      type: "llm",
      model,
      prompt_template: prompt,
      structured_output_enabled: true,
      structured_output: { schema },
    });
    expect(made.node("It")?.config).toMatchObject({
      systemPrompt: "Be brief.",
      userMessage: 'User: Hi\nAssistant: Hello\n\nAbout {{nodes.?start.?topic.orValue(null)}} {{"{{"}}plain}}',
      outputFormat: "json",
      outputSchema: schema,
    });
    expect(made.node("claude-sonnet-4-6")?.type).toBe("anthropic-model");
  });

  it("code: JavaScript runs, Python stays as a placeholder with its source", () => {
    const variables = [{ variable: "a", value_selector: ["n0", "topic"] }];
    const script = one({
      type: "code",
      code_language: "javascript",
      code: "function main({a}) { return {b: a}; }",
      variables,
    });
    expect(script.node("It")).toMatchObject({
      type: "code",
      config: {
        code: "function main({a}) { return {b: a}; }\nreturn main({ a });",
        inputs: { a: "{{nodes.?start.?topic.orValue(null)}}" },
      },
    });
    const python = one({ type: "code", code_language: "python3", code: "def main(a): return {}", variables });
    expect(python.node("It")).toMatchObject({
      type: "placeholder",
      config: { settings: { code: "def main(a): return {}" } },
    });
    expect(python.report.nodes.placeholder).toBe(1);
  });

  it("http-request: body, lines of headers, and a key that stays outside", () => {
    const made = one({
      type: "http-request",
      method: "post",
      url: "https://api.example.com/{{#n0.topic#}}",
      headers: "X-A: 1\nAccept:text/plain",
      params: "q:{{#n0.topic#}}",
      body: { type: "json", data: '{"t": "{{#n0.topic#}}"}' },
      authorization: { type: "api-key", config: { type: "custom", header: "X-Key", api_key: "test-key-0123456789" } },
    });
    expect(made.node("It")).toMatchObject({
      type: "http-request",
      config: {
        method: "POST",
        url: "https://api.example.com/{{nodes.?start.?topic.orValue(null)}}",
        headers: { "X-A": "1", Accept: "text/plain" },
        query: { q: "{{nodes.?start.?topic.orValue(null)}}" },
        body: '{"t": "{{nodes.?start.?topic.orValue(null)}}"}',
      },
    });
    expect(JSON.stringify(made.document)).not.toContain("test-key-0123456789");
    expect(made.report.entries).toContainEqual(expect.objectContaining({ about: "credential", node: "It" }));
  });

  it("question-classifier: an agent and switches, more than six ways too", () => {
    const classes = Array.from({ length: 8 }, (_, index) => ({ id: `c${index}`, name: `Class ${index}` }));
    const answers = classes.map((_, index) => ({ type: "end", title: `End ${index}`, outputs: [] }));
    const made = read(
      difyWorkflow(
        [
          start,
          { type: "question-classifier", title: "Sort", model, classes, query_variable_selector: ["n0", "topic"] },
          ...answers,
        ],
        [["n0", "n1"], ...classes.map(({ id }, index): [string, string, string] => ["n1", `n${index + 2}`, id])],
      ),
    );
    expect(made.edges).toContain("Sort.main > Ways of Sort.main");
    expect(made.edges).toContain("Ways of Sort.case6 > End 5.main");
    expect(made.edges).toContain("Ways of Sort.default > Ways of Sort 2.main");
    expect(made.edges).toContain("Ways of Sort 2.case2 > End 7.main");
    expect(made.report.edges).toEqual({ total: 9, mapped: 9, reported: 0 });
  });

  it.each([
    [
      {
        type: "parameter-extractor",
        model,
        query: ["n0", "topic"],
        parameters: [{ name: "n", type: "number", required: true }],
      },
      "ai-agent",
    ],
    [
      {
        type: "variable-aggregator",
        variables: [
          ["n0", "topic"],
          ["n0", "other"],
        ],
      },
      "set-fields",
    ],
    [
      {
        type: "assigner",
        items: [{ variable_selector: ["conversation", "a"], value: ["n0", "topic"], input_type: "variable" }],
      },
      "set-fields",
    ],
    [
      {
        type: "template-transform",
        template: "{{ a }}!",
        variables: [{ variable: "a", value_selector: ["n0", "topic"] }],
      },
      "set-fields",
    ],
    [{ type: "list-operator", variable: ["n0", "topic"], limit: { enabled: true, size: 2 } }, "set-fields"],
    [{ type: "document-extractor", variable_selector: ["n0", "topic"] }, "set-fields"],
    [{ type: "knowledge-retrieval", query_variable_selector: ["n0", "topic"] }, "set-fields"],
    [
      {
        type: "tool",
        provider_name: "tavily",
        tool_name: "tavily_search",
        tool_parameters: { query: { type: "mixed", value: "{{#n0.topic#}}" } },
      },
      "http-request",
    ],
    [{ type: "tool", provider_name: "odd", tool_name: "unknown", tool_parameters: {} }, "placeholder"],
    [
      {
        type: "agent",
        agent_parameters: {
          instruction: { type: "constant", value: "Do" },
          query: { type: "constant", value: "{{#n0.topic#}}" },
          model: { type: "constant", value: { provider: "openai", model: "gpt-4o" } },
          tools: {
            value: [
              { provider_name: "time", tool_name: "current_time" },
              { provider_name: "odd", tool_name: "odd" },
            ],
          },
        },
      },
      "ai-agent",
    ],
    [{ type: "loop", loop_count: 3 }, "for-each"],
    [{ type: "loop", loop_count: 3, break_conditions: [{ comparison_operator: "is" }] }, "repeat"],
    [{ type: "brand-new-node" }, "placeholder"],
  ])("%o becomes what is valid", (data, type) => {
    expect(one(data).node("It")?.type).toBe(type);
    expect(wrong(difyWorkflow([start, { title: "It", ...data }], [["n0", "n1"]]))).toEqual([]);
  });

  it("a loop hands its variables from turn to turn until its condition holds", async () => {
    const inLoop = { loop_id: "n1" };
    const source = difyWorkflow(
      [
        start,
        {
          type: "loop",
          title: "Count",
          loop_count: 8,
          loop_variables: [
            { label: "n", var_type: "number", value_type: "constant", value: 1 },
            { label: "seen", var_type: "array", value_type: "constant", value: [] },
            { label: "word", var_type: "string", value_type: "variable", value: ["n0", "topic"] },
          ],
          break_conditions: [
            { variable_selector: ["n1", "n"], comparison_operator: "≥", value: "4", varType: "number" },
          ],
        },
        { type: "loop-start", title: "", ...inLoop },
        {
          type: "assigner",
          title: "Next",
          items: [
            { variable_selector: ["n1", "n"], operation: "+=", input_type: "constant", value: 1 },
            { variable_selector: ["n1", "seen"], operation: "append", input_type: "variable", value: ["n1", "n"] },
          ],
          ...inLoop,
        },
        {
          type: "end",
          title: "Out",
          outputs: [
            { variable: "n", value_selector: ["n1", "n"] },
            { variable: "seen", value_selector: ["n1", "seen"] },
            { variable: "word", value_selector: ["n1", "word"] },
          ],
        },
      ],
      [
        ["n0", "n1"],
        ["n2", "n3"],
        ["n1", "n4"],
      ],
    );
    const { document, report } = read(source);
    expect(report.nodes.placeholder).toBe(0);
    expect(wrong(source)).toEqual([]);
    const { end } = await runToEnd(document, { registry: nodeRegistry, host: testHost(), input: { topic: "tea" } });
    expect(end.output).toEqual({ n: 4, seen: [1, 2, 3], word: "tea" });
  });

  it("a loop that is left early ends with that turn", async () => {
    const inLoop = { loop_id: "n1" };
    const source = difyWorkflow(
      [
        start,
        {
          type: "loop",
          title: "Count",
          loop_count: 9,
          loop_variables: [{ label: "n", var_type: "number", value_type: "constant", value: 0 }],
        },
        { type: "loop-start", title: "", ...inLoop },
        {
          type: "assigner",
          title: "Next",
          items: [{ variable_selector: ["n1", "n"], operation: "+=", input_type: "constant", value: 2 }],
          ...inLoop,
        },
        {
          type: "if-else",
          title: "Enough?",
          cases: [
            {
              case_id: "true",
              conditions: [{ variable_selector: ["n1", "n"], comparison_operator: ">", value: "5", varType: "number" }],
            },
          ],
          ...inLoop,
        },
        { type: "loop-end", title: "Leave", ...inLoop },
        { type: "end", title: "Out", outputs: [{ variable: "n", value_selector: ["n1", "n"] }] },
      ],
      [
        ["n0", "n1"],
        ["n2", "n3"],
        ["n3", "n4"],
        ["n4", "n5", "true"],
        ["n1", "n6"],
      ],
    );
    const { document } = read(source);
    expect(wrong(source)).toEqual([]);
    const { end } = await runToEnd(document, { registry: nodeRegistry, host: testHost(), input: { topic: "tea" } });
    expect(end.output).toEqual({ n: 6 });
  });

  it("a prompt that reads passages searches by a tool", () => {
    const made = read(
      difyWorkflow(
        [
          start,
          { type: "knowledge-retrieval", title: "Docs", query_variable_selector: ["n0", "topic"] },
          {
            type: "llm",
            title: "Ask",
            model,
            context: { enabled: true, variable_selector: ["n1", "result"] },
            prompt_template: [{ role: "system", text: "Use {{#context#}}" }],
          },
        ],
        [
          ["n0", "n1"],
          ["n1", "n2"],
        ],
      ),
    );
    expect(made.edges).toContain("Docs search.tool > Ask.tools");
    expect(made.node("Ask")?.config).toMatchObject({ toolChoice: "required" });
  });

  it("goes the way for failures behind a condition", () => {
    const made = read(
      difyWorkflow(
        [
          start,
          {
            type: "http-request",
            title: "Call",
            method: "get",
            url: "https://example.com",
            error_strategy: "fail-branch",
          },
          { type: "end", title: "Bad", outputs: [] },
        ],
        [
          ["n0", "n1"],
          ["n1", "n2", "fail-branch"],
        ],
      ),
    );
    expect(made.edges).toContain("Call failed?.true > Bad.main");
    expect(made.node("Call")?.config.onError).toBe("continue");
  });
});

describe("apps without a graph", () => {
  it("are a trigger and an agent with its tools", () => {
    const made = read({
      app: { name: "Helper", mode: "agent-chat" },
      model_config: {
        model,
        pre_prompt: "You know {{topic}}.",
        user_input_form: [{ "text-input": { variable: "topic", label: "Topic" } }],
        agent_mode: {
          enabled: true,
          max_iteration: 5,
          tools: [{ provider_name: "wikipedia", tool_name: "wikipedia_search", enabled: true }],
        },
        dataset_configs: { datasets: { datasets: [{ dataset: { id: "x", enabled: true } }] } },
      },
    });
    expect(made.node("Helper")).toMatchObject({
      type: "ai-agent",
      config: { systemPrompt: "You know {{nodes.?start.?topic.orValue(null)}}.", maxIterations: 5 },
    });
    expect(made.edges).toContain("Start.main > Helper.main");
    expect(made.edges).toContain("wikipedia_search.tool > Helper.tools");
    expect(made.edges).toContain("Knowledge.tool > Helper.tools");
  });
});

describe("odd files", () => {
  it("are taken with duplicate and missing names, null slots and edges that lead nowhere", () => {
    const source = difyWorkflow(
      [start, { type: "end", title: "Start" }, { type: "end" }],
      [
        ["n0", "n1"],
        ["n0", "gone"],
        ["n0", "n1"],
      ],
    );
    Object.assign(source.workflow.graph, { nodes: [null, 3, ...source.workflow.graph.nodes] });
    const { report } = read(source);
    expect(report.nodes.total).toBe(3);
    expect(report.edges).toEqual({ total: 3, mapped: 1, reported: 2 });
  });

  it("with a circle lose the edge that closes it, and say so", () => {
    const { report } = read(
      difyWorkflow(
        [start, { type: "end", title: "A" }, { type: "end", title: "B" }],
        [
          ["n0", "n1"],
          ["n1", "n2"],
          ["n2", "n1"],
        ],
      ),
    );
    expect(report.entries).toContainEqual(
      expect.objectContaining({ about: "edge", node: "B → A", note: expect.stringContaining("earlier node") }),
    );
  });

  it("are refused in words when they are no YAML, a bomb, too deep or name prototypes", () => {
    const refused = (text: string) => importForeign(text, { registry: nodeRegistry, newId: () => "id" });
    const bomb = `app: {mode: workflow}\na: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g", "h"].map((name, index) => `${name}: &${name} [${`*${"abcdefgh"[index]},`.repeat(9)}]`).join("\n")}\n`;
    const deep = `app: ${"[".repeat(400)}${"]".repeat(400)}`;
    const cut = difyChat.slice(0, 1_500);
    for (const text of [bomb, deep, "app: {mode: workflow}\n__proto__: {a: 1}", "app: [", "", "app:\n\t- x"]) {
      expect(refused(text)).toMatchObject({ ok: false, problem: expect.stringMatching(/\S/) });
    }
    expect(typeof refused(cut).ok).toBe("boolean");
  });
});

describe("Jinja", () => {
  const people = [
    { n: "ann", p: 1, on: true },
    { n: "Bo", p: 2, on: false },
    { n: "Cy", p: 3, on: true },
  ];
  const run = async (template: string, values: JsonObject): Promise<unknown> => {
    const rendered = renderJinja(template);
    if (!rendered.ok) return rendered.reason;
    const limits = { timeoutMs: 5_000, memoryBytes: 32 * 1_048_576 };
    const { result } = await runCode(await loadQuickJs(limits.memoryBytes), {
      code: rendered.code,
      args: { values },
      ...limits,
    });
    return result.ok ? result.output : result.error;
  };

  it.each([
    ["{{ a | upper }} {{ b.c[0] }}{# no #}", { a: "x", b: { c: [1] } }, "X 1"],
    ["{% if a and not b %}yes{% elif b %}b{% else %}no{% endif %}", { a: 1, b: [] }, "yes"],
    ["{% for k, v in m.items() %}{{ loop.index }}{{ k }}={{ v }};{% endfor %}", { m: { x: 1, y: 2 } }, "1x=1;2y=2;"],
    ["{% set n = 2 %}{{ n * 3 + 1 }} {{ 'a' ~ n }}", {}, "7 a2"],
    ["{{ missing | default('none') }}{{ l | join(', ') }}", { l: ["a", "b"] }, "nonea, b"],
    ["{%- for x in [] -%}x{%- else -%}empty{%- endfor -%}", {}, "empty"],
    ["{{ 'in' if 2 in l else 'out' }}", { l: [1, 2] }, "in"],
    ["{{ constructor.constructor }}", {}, ""],
    ["{% for u in l if u.on %}{{ loop.index }}{{ u.n }} {% endfor %}", { l: people }, "1ann 2Cy "],
    ["{% for u in l if u.on and u.p > 9 %}x{% else %}none{% endfor %}", { l: people }, "none"],
    ["{% for k, v in m.items() if v > x %}{{ k }}{% endfor %}", { m: { a: 1, b: 2 }, x: 1 }, "b"],
    ["{{ l | map(attribute='n') | sort(reverse=true) | join(' ') }}", { l: people }, "Cy Bo ann"],
    ["{{ l | join(', ', attribute='n') }} {{ l | sum(attribute='p') }}", { l: people }, "ann, Bo, Cy 6"],
    ["{{ l | sort(attribute='p', reverse=True) | map(attribute='n') | first }}", { l: people }, "Cy"],
    ["{{ l | map(attribute='n') | map('upper') | join }}", { l: people }, "ANNBOCY"],
    ["{{ 'one two three' | truncate(length=9, leeway=0) }}", {}, "one..."],
    ["{{ 'one two three' | truncate(9, true, '!', 0) }}", {}, "one two !"],
    ["{{ gone | default(default_value='n') }} {{ '' | d('x', boolean=true) }}", {}, "n x"],
    ["{{ 'a-b-c' | replace('-', '+', count=1) }} {{ 'x' | int(default=7) }}", {}, "a+b-c 7"],
    [
      "{{ none is mapping }} {{ 'ab' is iterable }} {{ m is mapping }} {{ [] is not mapping }}",
      { m: {} },
      "False True True True",
    ],
  ])("%s", async (template, values, text) => {
    expect(await run(template, values)).toEqual({ output: text });
  });

  it("writes the value of a test once", () => {
    const chain = renderJinja(`{{ a ${"is mapping ".repeat(200)}}}`);
    expect(chain.ok && chain.code.length).toBeLessThan(20_000);
  });

  it("says what it cannot translate", async () => {
    expect(await run("{% macro a() %}{% endmacro %}", {})).toContain("macro");
    expect(await run("{{ a | nonsense }}", {})).toContain("nonsense");
    expect(await run("{% if a %}", {})).toContain("endif");
    expect(await run("{{ a | default(value='n') }}", {})).toContain("value");
    expect(await run("{{ a | sort(backwards=true) }}", {})).toContain("backwards");
    expect(await run("{{ a | truncate(3, length=4) }}", {})).toContain("length");
    expect(await run("{{ a | upper(1) }}", {})).toContain("upper");
    expect(await run("{{ a.get(key='x') }}", {})).toContain("key");
    expect(await run("{{ a | map(name) }}", {})).toContain("map");
    expect(await run("{{ a | constructor }}", {})).toContain("constructor");
    expect(await run("{% for a in b recursive %}{% endfor %}", {})).toContain("recursive");
    expect(await run("{{ ".concat("(".repeat(60_000)), {})).toContain("long");
  });
});

describe("a question to a person in Dify", () => {
  const actions = [
    { id: "no", title: "Stop" },
    { id: "go", title: "Approve it" },
  ];
  const asking = (more: object) =>
    read(
      difyWorkflow(
        [
          start,
          {
            type: "human-input",
            title: "Ask",
            form_content: "Publish {{#n0.topic#}}?",
            user_actions: actions,
            ...more,
          },
          { type: "end", title: "Yes" },
          { type: "end", title: "No" },
        ],
        [
          ["n0", "n1"],
          ["n1", "n2", "go"],
          ["n1", "n3", "no"],
        ],
      ),
    );

  it("is an approval where there are two answers, whatever their order", () => {
    const { node, edges } = asking({});
    expect(node("Ask")).toMatchObject({
      type: "approval",
      config: { message: expect.stringMatching(/^Publish \{\{/) },
    });
    expect(edges).toContain("Ask.approved > Yes.main");
    expect(edges).toContain("Ask.declined > No.main");
  });

  it("is a placeholder where there is a form to fill in", () => {
    expect(asking({ inputs: [{ type: "text-input", output_variable_name: "why" }] }).node("Ask")?.type).toBe(
      "placeholder",
    );
  });
});
