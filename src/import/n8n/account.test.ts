import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";
import { nodesOfEveryKind } from "../testing/n8n-nodes.ts";

const base = "n8n-nodes-base.";

/** A workflow with one node behind its start, which may give several items. */
const flowOf = (type: string, typeVersion: number, parameters: JsonObject, { gives = 1, settings = {} } = {}) => ({
  nodes: [
    { name: "Start", type: `${base}manualTrigger`, typeVersion: 1, position: [0, 0], parameters: {} },
    { name: "It", type, typeVersion, position: [200, 0], parameters, ...settings },
  ],
  pinData: gives > 1 ? { Start: Array.from({ length: gives }, (_, id) => ({ json: { id } })) } : {},
  connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
});

const read = (...node: Parameters<typeof flowOf>) => readImported(flowOf(...node), nodeRegistry);

/** Every object in a value, itself included. */
function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** Names of the made-up values in a text. */
const marksIn = (value: unknown) => [...new Set(JSON.stringify(value).match(/mark[a-z]*\d+/g) ?? [])];

const extra = fc.record({
  /** Which of the objects gets it. */
  place: fc.nat(),
  key: fc.constantFrom("filters", "options", "note", "value", "message", "where", "id", "extra.part", "0"),
  made: fc.constantFrom<(mark: string) => Json>(
    (mark) => `={{ $json.${mark} }}`,
    (mark) => `=Some ${mark} {{ $json.${mark}.b }} and {{ $('Start').item.json.${mark} }}`,
    (mark) => mark,
    (mark) => [{ name: mark, value: `={{ $json.${mark}.toUpperCase() }}` }],
    (mark) => ({ __rl: true, mode: "id", value: `={{ $json.${mark} }}` }),
  ),
});

describe("the account of a node", () => {
  it("has every value and expression in the made node or in the report", () => {
    const node = fc.constantFrom(...nodesOfEveryKind);
    fc.assert(
      fc.property(node, fc.array(extra, { maxLength: 4 }), fc.constantFrom(1, 2), (kind, extras, gives) => {
        const { type, version, parameters } = kind;
        const source = structuredClone(parameters);
        for (const [index, { place, key, made }] of extras.entries()) {
          const objects = objectsIn(source);
          const target = objects[place % objects.length];
          if (target && !Object.hasOwn(target, key)) target[key] = made(`markextra${index}`);
        }
        const { document, report } = read(type, version, source, { gives });
        const entries = report.entries.filter((entry) => entry.node === "It");
        const found = new Set(marksIn([Object.values(document.nodes), entries]));
        expect(marksIn(source).filter((mark) => !found.has(mark))).toEqual([]);
        const written = JSON.stringify(source).match(/\{\{.*?\}\}/g) ?? [];
        const { total, cel, code, unsupported } = report.expressions;
        expect([total, cel + code + unsupported]).toEqual([written.length, written.length]);
      }),
      { numRuns: 400 },
    );
  });

  it("tells what is left over with its value, and what has no effect", () => {
    const { report, entry } = read(`${base}httpRequest`, 4.2, {
      url: "={{ $json.url }}",
      options: { proxy: "http://proxy.test", lowercaseHeaders: "={{ $json.lower }}" },
      provideSslCertificates: true,
      nodeCredentialType: "jiraApi",
    });
    const told = report.entries.filter(({ about, node }) => node === "It" && about !== "node");
    expect(told).toMatchObject([
      {
        about: "setting",
        sourceType: "options.proxy",
        outcome: "approximated",
        note: "Not taken over: http://proxy.test",
      },
      {
        about: "expression",
        sourceType: " $json.lower ",
        outcome: "placeholder",
        note: expect.stringContaining("options.lower"),
      },
      { about: "setting", sourceType: "provideSslCertificates", note: "Not taken over: true" },
      {
        about: "setting",
        sourceType: "nodeCredentialType",
        outcome: "dropped",
        note: expect.stringContaining("jiraApi"),
      },
    ]);
    expect(entry("It")?.outcome).toBe("approximated");
    expect(report.nodes).toMatchObject({ total: 2, mapped: 1, approximated: 1 });
  });

  it.each<[type: string, version: number, parameters: JsonObject]>([
    ["sort", 1, { type: "odd" }],
    ["sort", 1, { sortFieldsUi: { sortField: [{ fieldName: "a", order: "odd" }] } }],
    ["limit", 1, { maxItems: 3, keep: "odd" }],
    ["merge", 3, { mode: "odd" }],
    ["merge", 3, { mode: "combine", combineBy: "odd" }],
    ["summarize", 1.1, { fieldsToSummarize: { values: [{ field: "a", aggregation: "odd" }] } }],
    ["removeDuplicates", 2, { compare: "odd" }],
    ["set", 3.2, { mode: "odd" }],
    ["code", 2, { mode: "odd", jsCode: "return items;" }],
    ["respondToWebhook", 1.1, { respondWith: "odd" }],
    ["filter", 2, { conditions: { combinator: "odd", conditions: [] } }],
    ["httpRequest", 4.2, { url: "https://a.test", sendQuery: true, specifyQuery: "odd" }],
  ])("tells a choice of %s that is not known", (type, version, parameters) => {
    const { report } = read(base + type, version, parameters);
    expect(report.entries).toContainEqual(
      expect.objectContaining({ about: "setting", node: "It", note: expect.stringContaining("odd") }),
    );
  });

  it("takes over that a chat takes files, and says where a chat page is told so", () => {
    const chat = (options: JsonObject) => {
      const { report, node, entry } = read("@n8n/n8n-nodes-langchain.chatTrigger", 1.1, { public: true, options });
      const settings = report.entries.filter((one) => one.node === "It" && one.about === "setting");
      return { type: node("It")?.type, note: entry("It")?.note, told: settings.map(({ sourceType }) => sourceType) };
    };
    const taking = chat({ allowFileUploads: true });
    expect(taking).toMatchObject({ type: "chat-trigger", note: expect.stringContaining("Take files") });
    expect(taking.told).not.toContain("options.allowFileUploads");
    expect(chat({ allowFileUploads: false }).note).not.toContain("Take files");
  });

  it("lets a delete not run whose condition it does not know", () => {
    const where = { values: [{ column: "id", condition: "odd", value: "={{ $json.id }}" }] };
    const { node, entry } = read(`${base}postgres`, 2.5, {
      operation: "deleteTable",
      deleteCommand: "delete",
      table: { __rl: true, mode: "name", value: "orders" },
      where,
    });
    expect(node("It")?.type).toBe("placeholder");
    expect(entry("It")?.note).toContain("It has a condition that is not known");
  });

  it("S87 tells that a secret is left over, and not which", () => {
    const { report } = read(`${base}httpRequest`, 4.2, {
      url: "https://a.test",
      apiKey: "test-key-one",
      oddHeaders: [{ name: "X-Api-Key", value: "test-key-two" }],
      oddText: "={{ $json.a }} Bearer test-key-three-abcdef",
      oddAddress: "={{ 'https://a.test/?api_key=test-key-four' }}",
    });
    expect(JSON.stringify(report)).not.toMatch(/test-key-(?:one|two|three|four)/);
    const told = report.entries.filter(({ node, about }) => node === "It" && about !== "node");
    expect(told.map(({ sourceType }) => sourceType)).toEqual(
      expect.arrayContaining(["apiKey", "oddHeaders[0].value", " $json.a "]),
    );
  });

  it("takes over how a node fails and is repeated, and tells the rest", () => {
    const node = (name: string, type: string, more: object) => ({ name, type: base + type, typeVersion: 2, ...more });
    const { node: made, report } = readImported(
      {
        nodes: [
          node("Get", "httpRequest", {
            parameters: { url: "https://a.test" },
            retryOnFail: true,
            maxTries: 3,
            waitBetweenTries: 2_000,
            onError: "continueRegularOutput",
            executeOnce: true,
            alwaysOutputData: false,
          }),
          node("Hold", "wait", { parameters: { amount: 1 }, retryOnFail: true, continueOnFail: true }),
        ],
        connections: {},
        settings: { errorWorkflow: "abc", executionOrder: "v1", timezone: "Europe/Paris" },
      },
      nodeRegistry,
    );
    expect(made("Get")?.config).toMatchObject({ retries: 2, retryDelayMs: 2_000, onError: "continue" });
    const told = report.entries
      .filter(({ about }) => about === "setting")
      .map(({ node, sourceType, outcome }) => [node, sourceType, outcome]);
    expect(told).toEqual([
      ["Get", "executeOnce", "approximated"],
      ["Get", "alwaysOutputData", "dropped"],
      ["Hold", "retryOnFail", "approximated"],
      ["Hold", "continueOnFail", "approximated"],
      ["", "errorWorkflow", "approximated"],
      ["", "executionOrder", "dropped"],
    ]);
  });

  it("tells what of a long text was cut", () => {
    const text = `${"word ".repeat(3_000)}the end of it`;
    const { report } = read(`${base}stickyNote`, 1, { content: text });
    expect(report.entries).toContainEqual(
      expect.objectContaining({ node: "It", sourceType: "content", note: expect.stringContaining("the end of it") }),
    );
    expect(report.nodes.total).toBe(1);
  });
});

describe("the account of a node that gets a list", () => {
  it("does not name an empty item that it gives instead of none", () => {
    const settings = { alwaysOutputData: true };
    const { report } = read(`${base}sort`, 1, {}, { gives: 2, settings });
    expect(report.entries.filter(({ about }) => about === "setting")).toEqual([]);
  });

  it("leads each item through the steps before a request", () => {
    const columns = { mappingMode: "defineBelow", matchingColumns: ["id"], value: { id: "={{ $json.id }}" } };
    const sheet = { operation: "update", documentId: "D", sheetName: "S", columns };
    const { edges } = read(`${base}googleSheets`, 4.5, sheet, { gives: 2 });
    expect(edges).toEqual([
      "Start.main > For each: It.main",
      "For each: It.main > It: input.main",
      "It: input.main > It: cells.main",
      "It: cells.main > It: changes.main",
      "It: changes.main > It.main",
    ]);
  });
});

describe("the account of a workflow as a tool", () => {
  it("tells what the model fills in, and takes the rest", () => {
    const value = { city: "Berlin", who: "={{ $fromAI('who', 'a name', 'string') }}" };
    const { node, report } = read("@n8n/n8n-nodes-langchain.toolWorkflow", 2, { workflowInputs: { value } });
    expect(node("It")?.config).toMatchObject({ inputs: { city: "Berlin" } });
    expect(report.entries.filter(({ about }) => about === "expression")).toMatchObject([
      { outcome: "dropped", note: expect.stringContaining("The model fills it in") },
    ]);
  });
});

const oddRule = { leftValue: "={{ $json.total }}", rightValue: 1, operator: { type: "number", operation: "isOdd" } };

describe("a node that would do something else without a part", () => {
  it.each([
    ["supabase", { operation: "delete", tableId: "orders", condition: "={{ $json.id }}" }],
    ["supabase", { operation: "delete", tableId: "orders", onlyOlderThan: "2020" }],
    ["slack", { select: "channel", channelId: "C1", text: "Hi", attachmentList: [{ text: "={{ $json.total }}" }] }],
    ["if", { conditions: { conditions: [oddRule] } }],
    ["switch", { rules: { values: [{ conditions: { conditions: [oddRule] } }] } }],
    ["postgres", { operation: "update", table: "t", columns: { value: { a: "1" } }, onlyWhere: "b = 2" }],
  ])("becomes a placeholder: %s %o", (type, parameters) => {
    const { node, entry, report } = read(base + type, 2, parameters);
    expect(node("It")).toMatchObject({ type: "placeholder", config: { settings: parameters } });
    expect(entry("It")).toMatchObject({ outcome: "placeholder", note: expect.stringContaining("would ") });
    expect(report.expressions.total).toBe(JSON.stringify(parameters).includes("{{") ? 1 : 0);
  });

  it("is a filter of a list, too", () => {
    const parameters = { conditions: { conditions: [oddRule] } };
    const filter = read(`${base}filter`, 2, parameters, { gives: 2 });
    expect(filter.node("It")).toMatchObject({ type: "placeholder", config: { settings: parameters } });
  });

  it("is one that decides by a value that the comparison has no use for", () => {
    const operator = { type: "string", operation: "notEmpty", singleValue: true };
    const rule = { leftValue: "={{ $json.a }}", rightValue: "={{ $json.b }}", operator };
    const { node, report } = read(`${base}if`, 2.2, { conditions: { conditions: [rule] } });
    expect(node("It")?.type).toBe("if");
    const told = report.entries.filter(({ about }) => about === "expression");
    expect(told).toMatchObject([{ sourceType: " $json.b ", outcome: "dropped", note: "“notEmpty” takes one value." }]);
  });

  it("is a tool whose request is not known, which would let the model choose an address", () => {
    const parameters = { resource: "oddThing", operation: "send", subject: "={{ $json.a }}" };
    const { node } = read(`${base}gmailTool`, 2, parameters);
    expect(node("It")).toMatchObject({ type: "placeholder-tool", config: { settings: parameters } });
  });

  it("is kept where only the way of sending is another", () => {
    const parameters = { select: "channel", channelId: "C1", text: "={{ $json.text }}" };
    expect(read(`${base}slack`, 2, parameters).node("It")?.type).toBe("http-request");
  });
});
