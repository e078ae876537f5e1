import { describe, expect, it } from "vitest";
import { newNode } from "../../engine/document/new-document.ts";
import type { Json, JsonObject } from "../../engine/json.ts";
import { httpRequest } from "../flow/http-request.ts";
import { httpRequestTool } from "../tools/http-request-tool.ts";
import { carried, carriedQuery } from "./carried.ts";

const settings = (config: JsonObject) => httpRequest.config.parse({ method: "POST", leaveOutEmpty: true, ...config });

const noFiles = { find: () => undefined };

const bodyOf = (body: Json, written: Json = body) => carried(settings({ body }), written, noFiles).body;

it("leaves out headers, parameters and form fields without a value where that is wanted", () => {
  const values = { a: "1", b: "" };
  expect(carriedQuery(settings({ query: values }))).toEqual({ a: "1" });
  expect(carriedQuery({ ...settings({ query: values }), leaveOutEmpty: false })).toEqual(values);
  expect(carried(settings({ bodyType: "form", form: values, headers: values }), undefined, noFiles)).toEqual({
    headers: { a: "1", "content-type": "application/x-www-form-urlencoded" },
    body: "a=1",
  });
});

it("leaves out members of a JSON body, and objects of which nothing is left", () => {
  const text = '{"a": "", "b": {"c": null}, "d": {"e": 1, "f": ""}, "g": [], "h": {}, "i": false}';
  expect(JSON.parse(String(bodyOf(text)))).toEqual({ d: { e: 1 }, g: [], h: {}, i: false });
  expect(bodyOf(JSON.parse(text))).toEqual({ d: { e: 1 }, g: [], h: {}, i: false });
});

it("keeps the digits of large integers where it leaves something out", () => {
  expect(bodyOf('{"a": "", "id": 7615917337495251231, "b": "-9223372036854775808"}')).toBe(
    '{"id":7615917337495251231,"b":"-9223372036854775808"}',
  );
});

it("keeps what is null or empty within an inserted value", () => {
  const inner = { cleared: null, list: [null, ""] };
  const written = '{"fields": {{json.fields}}, "note": {{json.note}}, "name": "Mr {{json.name}}"}';
  const sent = `{"fields": ${JSON.stringify(inner)}, "note": null, "name": "Mr "}`;
  expect(JSON.parse(String(bodyOf(sent, written)))).toEqual({ fields: inner, name: "Mr " });
  expect(bodyOf(inner, "{{json.fields}}")).toEqual(inner);
});

it("leaves a text that is no JSON as it is", () => {
  expect(bodyOf("To: ada", "To: {{json.to}}")).toBe("To: ada");
  expect(bodyOf("{not json", "{not json")).toBe("{not json");
});

describe("lists in a query", () => {
  const query = { ids: [1, "a b", null, { a: 1 }], none: [], one: "x", big: ["7615917337495251231"] };
  const sent = (config: JsonObject, written: Json = {}) =>
    carriedQuery(settings({ leaveOutEmpty: false, query, ...config }), written);

  it("go out as the settings say, and in stored nodes as JSON", () => {
    const items = ["1", "a b", "", '{"a":1}'];
    const big = "7615917337495251231";
    expect(sent({ queryLists: "repeated" })).toEqual({ ids: items, one: "x", big });
    expect(sent({ queryLists: "brackets" })).toEqual({ "ids[]": items, one: "x", "big[]": big });
    expect(sent({ queryLists: "commas" })).toEqual({ ids: '1,a b,,{"a":1}', one: "x", big });
    const asJson = { ids: '[1,"a b",null,{"a":1}]', none: "[]", one: "x", big: `["${big}"]` };
    expect(sent({})).toEqual(asJson);
    expect(sent({ queryLists: "repeated", leaveOutEmpty: true }).ids).toEqual(["1", "a b", '{"a":1}']);
  });

  it("are told from several rows of one name, which always go out one by one", () => {
    const rows = { query: { ids: ["1", ["2", "3"], "4"] } };
    expect(sent(rows, { ids: ["1", "{{json.ids}}", "4"] })).toEqual({ ids: ["1", '["2","3"]', "4"] });
    expect(sent({ ...rows, queryLists: "repeated" }, { ids: ["1", "{{json.ids}}", "4"] })).toEqual({
      ids: ["1", "2", "3", "4"],
    });
    expect(sent({ ...rows, queryLists: "brackets" }, { ids: ["1", "{{json.ids}}", "4"] })).toEqual({
      ids: ["1", "4"],
      "ids[]": ["2", "3"],
    });
  });

  it("are repeated in new nodes", () => {
    for (const definition of [httpRequest, httpRequestTool])
      expect(newNode(definition, { id: "n", position: { x: 0, y: 0 } }).config).toMatchObject({
        queryLists: "repeated",
      });
  });
});
