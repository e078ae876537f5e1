import { expect, it } from "vitest";
import type { JsonSchema } from "../../../engine/json.ts";
import { declaredHeaders, paramHeaders } from "./param-headers.ts";

const marked = (type: string, mark: unknown = "Region") => ({ type, "x-mcp-header": mark }) as JsonSchema;
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: "object", properties });

it("tells in headers what a tool's schema marks, in a form that a header can hold", () => {
  const schema = object({
    region: marked("string"),
    deep: object({ count: marked("integer", "Count"), sure: marked("boolean", "Sure") }),
    note: { type: "string", default: { "x-mcp-header": "no mark" } },
  });
  const declared = declaredHeaders(schema) ?? [];
  const headersOf = (region: string | null) => paramHeaders(declared, { region, deep: { count: 3, sure: false } });
  expect(headersOf("eu-west")).toEqual({
    "mcp-param-Region": "eu-west",
    "mcp-param-Count": "3",
    "mcp-param-Sure": "false",
  });
  expect(headersOf(null)).not.toHaveProperty("mcp-param-Region");
  for (const text of ["Zürich", " spaced ", "", "two\r\nlines", "=?base64?eA==?=", "日本"]) {
    const sent = headersOf(text)["mcp-param-Region"] ?? "";
    expect(sent).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/);
    expect(Buffer.from(sent.slice(9, -2), "base64").toString("utf8")).toBe(text);
  }
});

it.each<[string, JsonSchema]>([
  ["on the whole", marked("object")],
  ["on a list's items", object({ list: { type: "array", items: marked("string") } })],
  ["in a choice", object({ one: { anyOf: [marked("string")] } })],
  ["on a number with fractions", object({ one: marked("number") })],
  ["on an object", object({ one: marked("object") })],
  ["with a name that is no token", object({ one: marked("string", "My Region") })],
  ["with no name", object({ one: marked("string", "") })],
  ["twice with one name", object({ one: marked("string"), two: marked("string", "REGION") })],
])("a mark %s breaks the rules", (_case, schema) => {
  expect(declaredHeaders(schema)).toBeUndefined();
});
