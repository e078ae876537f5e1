import { describe, expect, it } from "vitest";
import { compileExpression } from "../../engine/template/expression.ts";
import { recordScope } from "../../engine/template/scope.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { nodeRegistry } from "../../nodes/index.ts";
import { readImported } from "../testing/read-imported.ts";
import { fromMoment } from "./date-node.ts";

const read = (type: string, typeVersion: number, parameters: JsonObject, settings: JsonObject = {}) =>
  readImported(
    {
      nodes: [
        { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
        { name: "It", type: `n8n-nodes-base.${type}`, typeVersion, position: [200, 0], parameters },
      ],
      connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
      settings,
    },
    nodeRegistry,
  );

const ifNode = (type: string, operation: string, rightValue: Json, options: JsonObject = {}) =>
  read("if", 2.2, {
    conditions: {
      options,
      combinator: "and",
      conditions: [{ leftValue: "={{ $json.a }}", rightValue, operator: { type, operation } }],
    },
  });

describe("a condition of n8n", () => {
  it.each<[string, Json, Json, boolean, boolean]>([
    ["contains", ["100"], "10", false, true],
    ["contains", ["100", "10"], "10", true, true],
    ["contains", ["Ann"], "ann", true, false],
    ["contains", ["Ann"], "ann", false, true],
    ["contains", [5, "ann"], "ANN", true, false],
    ["notContains", ["100"], "10", true, true],
    ["contains", null, "10", false, true],
  ])("%s %j %j is %j for a list", (operation, a, wanted, holds, caseSensitive) => {
    const condition = String(ifNode("array", operation, wanted, { caseSensitive }).node("It")?.config.condition);
    const scope = recordScope({ json: { a }, nodes: {} });
    expect(compileExpression(condition.slice(2, -2)).evaluate(scope)).toBe(holds);
  });

  it.each(["a(?=b)", "/(a)\\1/", "(?<!x)y"])("with the pattern %s is told", (pattern) => {
    const { node, entry } = ifNode("string", "regex", pattern);
    expect(node("It")?.type).toBe("placeholder");
    expect(entry("It")?.note).toContain("regular expression");
    expect(ifNode("string", "regex", "^a[bc]+$").entry("It")?.outcome).toBe("mapped");
  });

  it("that any of none holds is false", () => {
    const conditions = (combinator: string) => read("if", 2.2, { conditions: { combinator, conditions: [] } });
    expect(conditions("or").node("It")?.config.condition).toBe("{{false}}");
    expect(conditions("and").node("It")?.config.condition).toBe("{{true}}");
  });
});

describe("a part that looks like one of the editor's", () => {
  const told = (parameters: JsonObject) =>
    read("httpRequest", 4.2, { url: "https://a.test", ...parameters }).report.entries.filter(
      ({ about }) => about === "setting",
    );

  it.each<[JsonObject, string]>([
    [{ odd: { mode: "replace", value: "x" } }, "odd.mode"],
    [{ rows: { values: [{ id: "7", name: "a" }] } }, "rows.values[0].id"],
    [{ messages: [{ id: "7", text: "a" }] }, "messages[0].id"],
  ])("is told: %j", (parameters, sourceType) => {
    expect(told(parameters)).toContainEqual(expect.objectContaining({ sourceType, outcome: "approximated" }));
  });

  it("does not write elsewhere without it", () => {
    const parameters = { method: "POST", url: "https://a.test", target: { values: [{ id: "7", name: "a" }] } };
    expect(read("httpRequest", 4.2, parameters).node("It")?.type).toBe("placeholder");
  });

  it("is one of the editor's in a locator and in a row of assignments", () => {
    expect(told({ odd: { __rl: true, mode: "id", value: "x" } }).map(({ outcome }) => outcome)).toContain("dropped");
    const { report } = read("set", 3.4, {
      assignments: { assignments: [{ id: "1", name: "a", value: "b", type: "string" }] },
    });
    expect(report.entries).toContainEqual(
      expect.objectContaining({ sourceType: "assignments.assignments[0].id", outcome: "dropped" }),
    );
  });
});

describe("the times of n8n's older triggers", () => {
  const zone = { timezone: "Europe/Berlin" };
  const cron = (...item: JsonObject[]) => read("cron", 1, { triggerTimes: { item } }, zone);

  it.each<[JsonObject, string, string]>([
    [{ hour: 9 }, "0 9 * * *", "mapped"],
    [{ mode: "everyX", value: 3, unit: "hours" }, "0 */3 * * *", "mapped"],
    [{ mode: "everyX", value: 15, unit: "minutes" }, "*/15 * * * *", "mapped"],
    [{ mode: "everyX" }, "0 */2 * * *", "mapped"],
    [{ mode: "everyX", value: 7, unit: "minutes" }, "*/7 * * * *", "approximated"],
    [{ mode: "everyX", value: 48, unit: "hours" }, "0 0 */2 * *", "approximated"],
    [{ mode: "everyWeek", hour: 9, weekday: "2" }, "0 9 * * 2", "mapped"],
    [{ mode: "custom", cronExpression: "0 30 9 * * 1" }, "30 9 * * 1", "approximated"],
    [{ mode: "constructor" }, "0 14 * * *", "approximated"],
  ])("of %j are %s", (item, line, outcome) => {
    const { node, entry } = cron(item);
    expect(node("It")?.config).toMatchObject({ cron: line, timeZone: "Europe/Berlin" });
    expect(entry("It")?.outcome).toBe(outcome);
  });

  it("are told where only the first stays", () => {
    expect(cron({ hour: 9 }, { hour: 10 }).entry("It")?.note).toContain("Only the first");
  });

  it.each<[JsonObject, string]>([
    [{ interval: 2, unit: "hours" }, "0 */2 * * *"],
    [{ interval: 90, unit: "seconds" }, "*/2 * * * *"],
    [{ interval: 120, unit: "minutes" }, "0 */2 * * *"],
    [{}, "* * * * *"],
  ])("of an interval %j are %s", (parameters, line) => {
    const { node } = read("interval", 1, parameters, zone);
    expect(node("It")?.config).toMatchObject({ cron: line, timeZone: "Europe/Berlin" });
  });
});

describe("a date pattern of Moment's", () => {
  it.each<[string, string]>([
    ["DD.MM.YYYY HH:mm", "dd.MM.yyyy HH:mm"],
    ["dddd, D MMM YY [at] h A", "EEEE, d MMM yy 'at' h a"],
    ["YYYY-MM-DDTHH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ssZZ"],
    ["L LT", "MM/dd/yyyy h:mm a"],
  ])("%s is %s", (given, made) => {
    expect(fromMoment(given)).toBe(made);
  });

  it.each(["Do MMMM", "dd", "Mo", "w", "l", "hmm", "S", "Y", "gggg", "k", "z"])("%s is refused", (given) => {
    expect(() => fromMoment(given)).toThrow("the date pattern");
    const { node } = read("dateTime", 1, { value: "={{ $json.a }}", custom: true, toFormat: given });
    expect(node("It")?.type).toBe("placeholder");
  });
});

describe("an older HTTP request of n8n", () => {
  const post = (options: JsonObject, more: JsonObject = {}) =>
    read("httpRequest", 1, {
      requestMethod: "POST",
      url: "https://a.test",
      bodyParametersUi: { parameter: [{ name: "a", value: "1" }] },
      options,
      ...more,
    }).node("It");

  it("sends a form, text or JSON as it says", () => {
    expect(post({ bodyContentType: "form-urlencoded" })?.config).toMatchObject({ bodyType: "form", form: { a: "1" } });
    const json = { jsonParameters: true, bodyParametersUi: {}, bodyParametersJson: '{"a": "1"}' };
    expect(post({ bodyContentType: "form-urlencoded" }, json)?.config).toMatchObject({ form: { a: "1" } });
    const raw = { bodyContentType: "raw", bodyContentCustomMimeType: "text/xml" };
    expect(post(raw, { ...json, bodyParametersJson: "<a/>" })?.config).toMatchObject({
      body: "<a/>",
      headers: { "content-type": "text/xml" },
    });
    expect(post({ bodyContentType: "json" })?.config).toMatchObject({ body: { a: "1" } });
    expect(post({ bodyContentType: "={{ $json.type }}" })?.type).toBe("placeholder");
  });
});

describe("the place of an item", () => {
  it.each(["$itemIndex", "$runIndex"])("%s is told to be 0", (name) => {
    const { report } = read("set", 3.4, { assignments: { assignments: [{ name: "a", value: `={{ ${name} }}` }] } });
    expect(report.entries).toContainEqual(
      expect.objectContaining({ about: "expression", outcome: "approximated", note: `“${name}” is always 0 here.` }),
    );
  });
});

describe("a webhook of n8n", () => {
  it("says that callers have to prove who they are again", () => {
    const entry = (parameters: JsonObject) => read("webhook", 2, { path: "a", ...parameters }).entry("It");
    expect(entry({ authentication: "headerAuth" })).toMatchObject({
      outcome: "needsCredential",
      note: expect.stringContaining("Choose how callers prove who they are when you publish it, which was a header."),
    });
    expect(entry({ authentication: "={{ $json.a }}" })?.outcome).toBe("needsCredential");
    expect(entry({})?.outcome).toBe("approximated");
  });
});

describe("a long text with many expressions", () => {
  it("is compared whole", () => {
    const long = Array.from({ length: 20 }, (_, index) => `{{ $json.f${index} }}-`).join("");
    const condition = JSON.stringify(ifNode("string", "equals", `=${long}`).node("It")?.config.condition);
    for (const index of [0, 14, 19]) expect(condition).toContain(`json.?f${index}`);
  });
});

it("a recording that n8n has OpenAI write down is one for Transcribe", () => {
  const { node } = readImported(
    {
      nodes: [
        { name: "Start", type: "n8n-nodes-base.manualTrigger", typeVersion: 1, position: [0, 0], parameters: {} },
        {
          name: "It",
          type: "@n8n/n8n-nodes-langchain.openAi",
          typeVersion: 1.8,
          position: [200, 0],
          parameters: { resource: "audio", operation: "transcribe", options: { language: "de" } },
        },
      ],
      connections: { Start: { main: [[{ node: "It", type: "main", index: 0 }]] } },
    },
    nodeRegistry,
  );
  expect(node("It")).toMatchObject({
    type: "transcribe",
    config: { model: "whisper-1", language: "de", file: "{{firstFile(json)}}" },
  });
});
