import { describe, expect, it } from "vitest";
import { nodeRegistry } from "../../nodes/index.ts";
import { validateWorkflow } from "../../engine/document/validate.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { runToEnd } from "../../engine/testing/run-to-end.ts";
import { testHost } from "../../engine/testing/test-host.ts";
import { importForeign } from "../index.ts";
import { completeExport, named } from "../testing/n8n-export.ts";

function read(source: unknown, more = "") {
  const text = (typeof source === "string" ? source : JSON.stringify(source)) + more;
  const imported = importForeign(text, { registry: nodeRegistry, newId: () => "new-id" });
  if (!imported.ok) throw new Error(imported.problem);
  const [first] = imported.workflows;
  if (!first) throw new Error("no workflow");
  const { document, report } = first;
  const node = (title: string) => Object.values(document.nodes).find((one) => one.title === title);
  const edges = Object.values(document.edges).map(({ from, to }) => {
    const title = (id: string) => document.nodes[id]?.title ?? id;
    return `${title(from.node)}.${from.port} > ${title(to.node)}.${to.port}`;
  });
  return { imported, document, report, node, edges };
}

const one = (type: string, parameters: object, typeVersion = 1) => ({
  nodes: [
    { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
    { name: "It", type, typeVersion, position: [200, 0], parameters },
  ],
  connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
});

describe("a whole agent workflow", () => {
  const { report, node, edges, document } = read(completeExport);

  it("names every node once and counts them", () => {
    const nodes = report.entries.filter(({ about }) => about === "node").map((entry) => entry.node);
    expect(nodes.toSorted()).toEqual(named.filter((name) => name !== "A note").toSorted());
    const { total, mapped, approximated, needsCredential, placeholder } = report.nodes;
    expect(mapped + approximated + needsCredential + placeholder).toBe(total);
    expect(placeholder).toBe(1);
  });

  it("names every edge and draws those that have a counterpart", () => {
    expect(report.edges.mapped + report.edges.reported).toBe(report.edges.total);
    expect(report.entries.filter(({ about }) => about === "edge")).toHaveLength(report.edges.total);
    expect(edges).toContain("Model.model > Agent.model");
    expect(edges).toContain("Spare.model > Agent.fallback");
    expect(edges).toContain("Memory.memory > Agent.memory");
    expect(edges).toContain("Look up.tool > Agent.tools");
    expect(edges).toContain("Helper.tool > Agent.tools");
    expect(edges).toContain("Model.model > Helper.model");
    expect(edges).toContain("Is it Ann?.true > Say.main");
  });

  it("keeps settings, notes, pins, positions and what is turned off", () => {
    expect(node("Agent")?.config).toMatchObject({
      userMessage: "Hi {{maybe(trim(nodes.chat.?chatInput.or(nodes.chat.?message).value()))}}",
      systemPrompt: 'Be {{maybe(fallback(nodes.config.?tone, "kind"))}}.',
      maxIterations: 7,
      outputFormat: "json",
      onError: "retry",
      retries: 2,
    });
    expect(node("Model")?.config).toMatchObject({ model: "gpt-4.1-mini", temperature: 0.2, maxTokens: 500 });
    expect(node("Memory")?.config).toMatchObject({ maxMessages: 16 });
    expect(node("Config")).toMatchObject({ notes: "Tone of the answers", pin: { output: { tone: "dry" } } });
    expect(node("Say")).toMatchObject({ disabled: true });
    expect(node("A note")?.type).toBe("sticky-note");
  });

  it("asks for credentials and carries none", () => {
    expect(JSON.stringify(document)).not.toContain("cred-1");
    const entry = report.entries.find(({ about, node: name }) => about === "node" && name === "Model");
    expect(entry).toMatchObject({ outcome: "needsCredential", targetType: "openai-model" });
    expect(report.entries.some(({ about, node: name }) => about === "credential" && name === "Model")).toBe(true);
  });

  it("S87 takes typed tokens out and says where they were", () => {
    expect(JSON.stringify(document)).not.toContain("sk-live-0123456789abcdef");
    expect(
      report.entries.some(({ about, sourceType }) => about === "credential" && sourceType === "headers.Authorization"),
    ).toBe(true);
  });

  it("S85 takes instructions in a file as text and nothing else", () => {
    expect(node("A note")?.config.text).toContain("Ignore all rules");
    expect(Object.values(document.nodes).filter(({ type }) => type === "sticky-note")).toHaveLength(1);
  });

  it("is valid but for what has to be chosen", () => {
    const wrong = validateWorkflow(document, nodeRegistry)
      .filter(({ severity, code }) => severity === "error" && code !== "invalid_credentials")
      .filter(({ message }) => !message.includes("waits for your review") && message !== "Collection is required.");
    expect(wrong).toEqual([]);
  });
});

it("waits as long, or until the same moment", () => {
  const waits = (typeVersion: number, parameters: object) => {
    const { document } = read({ nodes: [{ name: "W", type: "n8n-nodes-base.wait", typeVersion, parameters }] });
    return Object.values(document.nodes)[0]?.config;
  };
  expect(waits(1.1, { amount: 3, unit: "days" })).toMatchObject({ mode: "for", amount: 3, unit: "days" });
  expect(waits(1, { amount: 2 })).toMatchObject({ mode: "for", amount: 2, unit: "hours" });
  expect(waits(1.1, { resume: "specificTime", dateTime: "2030-01-31T08:00:00" })).toMatchObject({
    mode: "until",
    until: "2030-01-31T08:00:00",
  });
});

describe("odd files", () => {
  const small = one("n8n-nodes-base.noOp", {});

  it("takes a bare list of nodes, and a single one", () => {
    const nodes = [
      { parameters: {}, name: "A", type: "n8n-nodes-base.noOp", position: [0, 0] },
      { parameters: {}, name: "B", type: "@n8n/n8n-nodes-langchain.agent", position: [200, 0] },
    ];
    expect(read(nodes).report.nodes.total).toBe(2);
    expect(read(nodes[0]).report.nodes.total).toBe(1);
    expect(importForeign('[{"type": "other"}]', { registry: nodeRegistry, newId: () => "id" }).ok).toBe(false);
  });

  it("takes lists, wrappers, text around it, null slots and names that lead nowhere", () => {
    expect(read([small]).report.nodes.total).toBe(2);
    expect(read({ data: small }).report.nodes.total).toBe(2);
    expect(read(small, "\n\nThanks for looking!").report.nodes.total).toBe(2);
    const odd = {
      nodes: [
        null,
        { name: "A", type: "n8n-nodes-base.noOp" },
        { name: "A", type: "n8n-nodes-base.noOp", position: null },
        { type: "x.unknownThing" },
      ],
      connections: {
        A: { main: [null, [null, { node: "Gone", type: "main", index: 0 }, { node: "A1" }]] },
        Nobody: { main: [[{ node: "A" }]] },
      },
    };
    const { report, edges } = read(odd);
    expect(report.nodes).toMatchObject({ total: 3, placeholder: 1 });
    expect(report.edges).toMatchObject({ total: 3, mapped: 1, reported: 2 });
    expect(edges).toEqual(["A.main > A1.main"]);
  });

  it("S31 refuses keys that reach prototypes, S32 what is too deep or no workflow", () => {
    const give = (text: string) => importForeign(text, { registry: nodeRegistry, newId: () => "x" });
    expect(give('{"nodes":[{"type":"n8n-nodes-base.set","parameters":{"__proto__":{"a":1}}}]}')).toMatchObject({
      ok: false,
    });
    expect(
      give(`{"nodes":[{"type":"n8n-nodes-base.set","parameters":${"[".repeat(200)}${"]".repeat(200)}}]}`),
    ).toMatchObject({ ok: false });
    expect(give("hello")).toMatchObject({ ok: false, format: "unknown" });
    expect(give("{}")).toMatchObject({ ok: false });
  });
});

describe("conditions of all versions", () => {
  const conditionOf = (type: string, parameters: object, version: number) =>
    read(one(type, parameters, version)).node("It")?.config;

  it("If", () => {
    const old = { conditions: { string: [{ value1: "={{ $json.a }}", operation: "contains", value2: "x" }] } };
    expect(conditionOf("n8n-nodes-base.if", old, 1)?.condition).toBe(
      '{{truthy(maybe(includes(coalesce(json.?a, ""), "x")))}}',
    );
    const conditions = [
      { leftValue: "={{ $json.n }}", rightValue: 3, operator: { type: "number", operation: "gt" } },
      {
        leftValue: "={{ $json.b }}",
        rightValue: "",
        operator: { type: "string", operation: "notExists", singleValue: true },
      },
    ];
    const next = conditionOf("n8n-nodes-base.if", { conditions: { conditions, combinator: "or" } }, 2.2);
    expect(next?.condition).toBe("{{truthy(maybe((number(json.?n) > 3.0) || (!(!isNothing(json.?b)))))}}");
  });

  it("Switch", () => {
    const rules = {
      values: [
        {
          conditions: {
            conditions: [
              { leftValue: "={{ $json.kind }}", rightValue: "a", operator: { type: "string", operation: "equals" } },
            ],
          },
        },
      ],
    };
    expect(conditionOf("n8n-nodes-base.switch", { rules }, 3)).toMatchObject({
      value: '{{coalesce(maybe((equals(json.?kind, "a") ? "a" : "otherwise")), "otherwise")}}',
      cases: ["a"],
    });
    const old = {
      dataType: "string",
      value1: "={{ $json.kind }}",
      rules: { rules: [{ value2: "a" }, { value2: "b" }] },
    };
    expect(conditionOf("n8n-nodes-base.switch", old, 1)).toMatchObject({ cases: ["a", "b"] });
    const leading = { ...old, rules: { rules: [{ value2: "a", output: 1 }, { value2: "b" }] }, fallbackOutput: 2 };
    expect(conditionOf("n8n-nodes-base.switch", leading, 1)).toMatchObject({
      value: expect.stringMatching(/"a"\) \? "a" : .*"b"\) \? "b" : "3"/),
      cases: ["b", "a", "3"],
    });
  });
});

describe("fields of all versions", () => {
  it("Set", () => {
    const old = {
      keepOnlySet: true,
      values: { string: [{ name: "a.b", value: "={{ $json.x }}" }], number: [{ name: "n", value: "5" }] },
    };
    expect(read(one("n8n-nodes-base.set", old, 2)).node("It")?.config).toMatchObject({
      fields: { a: { b: "{{json.?x.orValue(null)}}" }, n: 5 },
      keepInput: false,
    });
    const raw = {
      mode: "raw",
      jsonOutput: '={ "name": "{{ $json.name }}", "list": {{ JSON.stringify($json.list) }} }',
    };
    expect(read(one("n8n-nodes-base.set", raw, 3.4)).node("It")?.config).toMatchObject({
      fields: { name: "{{json.?name.orValue(null)}}", list: "{{maybe(toJson(json.?list))}}" },
    });
  });

  it("HTTP request", () => {
    const parameters = {
      method: "POST",
      url: "=https://api.example.com/{{ $json.id }}",
      sendBody: true,
      specifyBody: "json",
      jsonBody: '={"a": {{ $json.a }}}',
      sendHeaders: true,
      headerParameters: { parameters: [{ name: "X-A", value: "b" }] },
    };
    expect(read(one("n8n-nodes-base.httpRequest", parameters, 4.2)).node("It")).toMatchObject({
      type: "http-request",
      unreviewed: true,
      config: {
        method: "POST",
        url: "https://api.example.com/{{json.?id.orValue(null)}}",
        result: "body",
        headers: { "X-A": "b" },
        body: '{"a": {{json.?a.orValue(null)}}}',
      },
    });
  });

  it("code, with what it reads of other nodes", () => {
    const { node } = read(one("n8n-nodes-base.code", { jsCode: "return $('Start').all();" }, 2));
    expect(node("It")?.config.inputs).toEqual({ nodes: { Start: "{{maybe(nodes.start)}}" } });
  });

  it("puts what no expression can say into a code node before it", () => {
    const value = "={{ (() => { let sum = 0; for (const x of $json.list) sum += x; return sum; })() }}";
    const { node, edges, report } = read(
      one("n8n-nodes-base.set", { assignments: { assignments: [{ name: "sum", value, type: "number" }] } }, 3.4),
    );
    expect(report.expressions).toEqual({ total: 1, cel: 0, code: 1, unsupported: 0 });
    expect(node("Values for It")?.config.code).toContain("for (const x of $json.list) sum += x");
    expect(edges).toEqual(["Start.main > Values for It.main", "Values for It.main > It.main"]);
  });
});

it("a workflow tool keeps what the other workflow always gets", () => {
  const value = { customer: "={{ $json.id }}", kind: "short", question: "={{ $fromAI('question') }}", none: null };
  const made = read(one("@n8n/n8n-nodes-langchain.toolWorkflow", { workflowInputs: { value } }, 2.2)).node("It");
  expect(made?.config.inputs).toEqual({ customer: "{{json.?id.orValue(null)}}", kind: "short" });
  const fields = { values: [{ name: "kind", stringValue: "long" }] };
  const older = read(one("@n8n/n8n-nodes-langchain.toolWorkflow", { fields }, 1.2)).node("It");
  expect(older?.config.inputs).toEqual({ kind: "long" });
});

it.each([
  ["executeWorkflow", { workflowId: "7" }, "It runs the workflow “7”."],
  ["redis", { operation: "get", key: "=a:{{ $json.id }}" }, "Nothing here reads or writes keys of Redis."],
  ["mySql", { operation: "executeQuery", query: "SELECT 1" }, "Nothing here speaks to MySQL."],
  ["readWriteFile", { operation: "read", fileSelector: "/a" }, "Nothing here reads or writes files of the machine."],
  ["html", { operation: "extractHtmlContent", extractionValues: {} }, "Nothing here reads values out of HTML"],
])("%s keeps its place and its settings, and says what is missing", (type, parameters, words) => {
  const { node, report } = read(one(`n8n-nodes-base.${type}`, parameters, 1));
  expect(node("It")).toMatchObject({ type: "placeholder", config: { settings: parameters } });
  expect(report.entries.find((one) => one.about === "node" && one.node === "It")?.note).toContain(words);
});

describe("loops", () => {
  it("makes a for-each of a loop over items, and leaves out what leads back", () => {
    const source = {
      nodes: ["Start", "Loop", "Work", "After"].map((name) => ({
        name,
        type:
          name === "Start"
            ? "n8n-nodes-base.manualTrigger"
            : name === "Loop"
              ? "n8n-nodes-base.splitInBatches"
              : "n8n-nodes-base.noOp",
        typeVersion: name === "Loop" ? 3 : 1,
        position: [0, 0],
        parameters: {},
      })),
      connections: {
        Start: { main: [[{ node: "Loop", type: "main", index: 0 }]] },
        Loop: { main: [[{ node: "After", type: "main", index: 0 }], [{ node: "Work", type: "main", index: 0 }]] },
        Work: { main: [[{ node: "Loop", type: "main", index: 0 }]] },
      },
    };
    const { edges, report } = read(source);
    expect(edges.toSorted()).toEqual(["Loop.done > After.main", "Loop.main > Work.main", "Start.main > Loop.main"]);
    expect(report.edges).toEqual({ total: 4, mapped: 3, reported: 1 });
  });

  it("says of one that n8n starts anew with what comes back that it is not the same here", () => {
    const noteOf = (parameters: object) =>
      read(one("n8n-nodes-base.splitInBatches", parameters, 3)).report.entries.find(({ node }) => node === "It");
    expect(noteOf({ options: { reset: false } })).toMatchObject({ outcome: "mapped", note: "" });
    for (const reset of [true, "={{ $json.more }}"])
      expect(noteOf({ batchSize: 2, options: { reset } })).toMatchObject({
        outcome: "approximated",
        note: expect.stringMatching(/^Each turn gets a list of 2 items\. n8n starts it anew .* “Repeat until”/),
      });
  });
});

describe("loops that an If closes or opens", () => {
  const set = { assignments: { assignments: [{ name: "n", value: "={{ $json.n + 1 }}", type: "number" }] } };
  const least = (operation: string) => ({
    conditions: {
      conditions: [{ leftValue: "={{ $json.n }}", rightValue: 3, operator: { type: "number", operation } }],
      combinator: "and",
    },
  });
  const flow = (
    edges: readonly (readonly [from: string, output: number, to: string])[],
    parameters: Record<string, object> = {},
  ) => {
    const types: Record<string, string> = { Start: "manualTrigger", Work: "set", Enough: "if" };
    const names = [...new Set(edges.flatMap(([from, , to]) => [from, to]))];
    const connections: Record<string, { main: { node: string; type: string; index: number }[][] }> = {};
    for (const [from, output, to] of edges) {
      const { main } = (connections[from] ??= { main: [[], []] });
      main[output]?.push({ node: to, type: "main", index: 0 });
    }
    const nodes = names.map((name) => ({
      name,
      type: `n8n-nodes-base.${types[name] ?? "set"}`,
      typeVersion: name === "Enough" ? 2 : name === "Start" ? 1 : 3.4,
      position: [0, 0],
      parameters: parameters[name] ?? (name === "Work" ? set : {}),
    }));
    return read({ nodes, connections });
  };
  const run = async (document: WorkflowDocument, n: number) => {
    const nodes = Object.entries(document.nodes).map(([id, { unreviewed: _reviewed, ...node }]) => [id, node]);
    const { end } = await runToEnd(
      { ...document, nodes: Object.fromEntries(nodes) },
      { registry: nodeRegistry, host: testHost(), input: { n } },
    );
    return end.error ?? end.output;
  };

  it("repeat their nodes until the condition after a turn says so", async () => {
    const { node, edges, report, document } = flow(
      [
        ["Start", 0, "Work"],
        ["Work", 0, "Pause"],
        ["Pause", 0, "Enough"],
        ["Enough", 0, "After"],
        ["Enough", 1, "Work"],
      ],
      { Enough: least("gte"), Pause: { includeOtherFields: true }, After: { includeOtherFields: true } },
    );
    expect(node("Enough")).toMatchObject({
      type: "repeat",
      config: { asked: "after", mostTurns: 1_000, atLimit: "fail" },
    });
    expect(edges.toSorted()).toEqual([
      "Enough.done > After.main",
      "Enough.main > Work.main",
      "Start.main > Enough.main",
      "Work.main > Pause.main",
    ]);
    expect(report.edges).toEqual({ total: 5, mapped: 4, reported: 1 });
    expect(report.entries).toContainEqual(expect.objectContaining({ node: "Enough", targetType: "repeat" }));
    expect(validateWorkflow(document, nodeRegistry).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await run(document, 0)).toEqual({ n: 3 });
    expect(await run(document, 7)).toEqual({ n: 8 });
  });

  it("repeat them while the condition before a turn says so", async () => {
    const { node, edges, document } = flow(
      [
        ["Start", 0, "Enough"],
        ["Enough", 0, "Work"],
        ["Enough", 1, "After"],
        ["Work", 0, "Enough"],
      ],
      { Enough: least("lt"), After: { includeOtherFields: true } },
    );
    expect(node("Enough")).toMatchObject({ type: "repeat", config: { asked: "before" } });
    expect(edges.toSorted()).toEqual([
      "Enough.done > After.main",
      "Enough.main > Work.main",
      "Start.main > Enough.main",
    ]);
    expect(await run(document, 0)).toEqual({ n: 3 });
    expect(await run(document, 7)).toEqual({ n: 7 });
  });

  it("stay as they are where a turn cannot be told from the rest", () => {
    const loop = [
      ["Start", 0, "Work"],
      ["Work", 0, "Enough"],
      ["Enough", 0, "After"],
      ["Enough", 1, "Work"],
    ] as const;
    const reading = {
      assignments: { assignments: [{ name: "m", value: "={{ $('Work').item.json.n }}", type: "number" }] },
    };
    const Enough = least("gte");
    const outside = "={{ $('Start').item.json.n }}";
    const [condition] = Enough.conditions.conditions;
    const cases = [
      // Somebody behind the loop reads a node of it.
      flow(loop, { Enough, After: reading }),
      // The condition reads another node.
      flow(loop, {
        Enough: { conditions: { ...Enough.conditions, conditions: [{ ...condition, leftValue: outside }] } },
      }),
      // A second way leads into the middle, and another one out.
      flow([...loop, ["Start", 0, "Enough"]], { Enough }),
      flow([...loop, ["Work", 0, "Aside"]], { Enough }),
    ];
    for (const { node, report } of cases) {
      expect(node("Enough")?.type).toBe("if");
      expect(report.entries.some(({ note }) => note.includes("“Repeat until”"))).toBe(true);
      expect(report.edges.mapped + report.edges.reported).toBe(report.edges.total);
    }
  });
});

it("gives a stop its error text", () => {
  const { node } = read(one("n8n-nodes-base.stopAndError", { errorMessage: "=No order {{ $json.id }}" }));
  expect(node("It")).toMatchObject({ type: "stop", config: { message: expect.stringMatching(/^No order \{\{.*id/) } });
});

describe("the Postgres node in a flow", () => {
  const postgres = (parameters: object) =>
    read(one("n8n-nodes-base.postgres", { table: { __rl: true, mode: "list", value: "orders" }, ...parameters }, 2.5));

  it("becomes the Postgres node of the same operation", () => {
    const values = { mappingMode: "defineBelow", value: { id: "={{ $json.id }}", status: "paid" } };
    const update = postgres({ operation: "update", columns: { ...values, matchingColumns: ["id"] } });
    expect(update.node("It")).toMatchObject({
      type: "postgres",
      config: {
        operation: "update",
        tableName: "orders",
        values: { status: "paid" },
        where: [{ column: "id", operator: "=", value: "{{json.?id.orValue(null)}}" }],
        result: "rows",
      },
    });
    const remove = postgres({ operation: "deleteTable", where: { values: [{ column: "id", value: 3 }] } });
    expect(remove.node("It")?.config).toMatchObject({ operation: "delete", where: [{ column: "id", value: 3 }] });
    const select = postgres({ operation: "select", limit: 5 });
    expect(select.node("It")?.config).toMatchObject({ operation: "select", tableName: "orders", limit: 5 });
    const query = postgres({ operation: "executeQuery", query: "delete from orders where id = 1" });
    expect(query.node("It")?.config).toMatchObject({ operation: "execute", readOnly: false });
    const given = [
      { options: { queryReplacement: "={{ $json.id }}, paid" } },
      { options: { queryReplacement: "={{ $json.all }}" } },
    ];
    const [listed, whole] = given.map((more) =>
      postgres({ operation: "executeQuery", query: "update t set a = $1", ...more }),
    );
    expect(listed?.node("It")?.config.parameters).toEqual(["{{json.?id.orValue(null)}}", "paid"]);
    expect(whole?.node("It")?.config.parameters).toBe("{{items(json.?all.orValue(null))}}");
    const insert = postgres({ operation: "insert", columns: values });
    expect(insert.node("It")?.config).toMatchObject({ operation: "insert", rows: [{ status: "paid" }] });
    expect(insert.report.nodes.needsCredential).toBe(1);
  });
});

it("reads nodes of any name by that name", async () => {
  const set = (value: string) => ({
    mode: "manual",
    assignments: { assignments: [{ id: "1", name: "value", value, type: "string" }] },
  });
  const node = (name: string, kind: string, at: number, parameters: object) => {
    const type = `n8n-nodes-base.${kind}`;
    return { name, type, typeVersion: 3.4, position: [at, 0], parameters };
  };
  const { document } = read({
    nodes: [
      node("开始", "manualTrigger", 0, {}),
      node("查询", "set", 200, set("found")),
      node("Заказ 🔥", "set", 400, set("ordered")),
      node("Both", "set", 600, set("={{ $('查询').item.json.value }} {{ $('Заказ 🔥').item.json.value }}")),
    ],
    connections: Object.fromEntries(
      [
        ["开始", "查询"],
        ["查询", "Заказ 🔥"],
        ["Заказ 🔥", "Both"],
      ].map(([from, to]) => [from, { main: [[{ node: to, type: "main", index: 0 }]] }]),
    ),
  });
  const nodes = Object.fromEntries(Object.entries(document.nodes).toReversed());
  const { end } = await runToEnd({ ...document, nodes }, { registry: nodeRegistry, host: testHost(), input: {} });
  expect(end.output).toMatchObject({ value: "found ordered" });
});

it("sends lists of a query as n8n does", () => {
  const http = (parameters: object) => {
    const { node } = read(
      one("n8n-nodes-base.httpRequest", { url: "https://a.test", sendQuery: true, ...parameters }, 4.2),
    );
    return node("It")?.config;
  };
  const parameters = ["1", "2", "={{ $json.ids }}"].map((value) => ({ name: "ids", value }));
  expect(http({ queryParameters: { parameters } })).toMatchObject({
    query: { ids: ["1", "2", "{{json.?ids.orValue(null)}}"] },
    queryLists: "brackets",
  });
  const jsonQuery = '{"ids": [1, "b"], "q": "x"}';
  expect(http({ specifyQuery: "json", jsonQuery, options: { queryParameterArrays: "repeat" } })).toMatchObject({
    query: { ids: '{{[1,"b"]}}', q: "x" },
    queryLists: "repeated",
  });
  const indexed = { sendQuery: true, queryParameters: { parameters }, options: { queryParameterArrays: "indices" } };
  const { report } = read(one("n8n-nodes-base.httpRequest", { url: "https://a.test", ...indexed }, 4.2));
  expect(report.entries.find(({ node }) => node === "It")).toMatchObject({
    outcome: "approximated",
    note: expect.stringContaining("ids[]=1&ids[]=2"),
  });
});
