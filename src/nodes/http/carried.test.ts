import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../engine/json.ts";
import { httpRequest } from "../flow/http-request.ts";
import { carried, carriedQuery } from "./carried.ts";

const settings = (config: JsonObject) => httpRequest.config.parse({ method: "POST", leaveOutEmpty: true, ...config });

const bodyOf = (body: Json, written: Json = body) => carried(settings({ body }), written).body;

it("leaves out headers, parameters and form fields without a value where that is wanted", () => {
  const values = { a: "1", b: "" };
  expect(carriedQuery(settings({ query: values }))).toEqual({ a: "1" });
  expect(carriedQuery({ ...settings({ query: values }), leaveOutEmpty: false })).toEqual(values);
  expect(carried(settings({ bodyType: "form", form: values, headers: values }), undefined)).toEqual({
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
