import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../json.ts";
import { rankTools } from "./rank-tools.ts";

const tool = (name: string, description: string, parameters: JsonSchema = { type: "object" }) => ({
  name,
  description,
  parameters,
});

const tools = [
  tool("createInvoice", "Writes a bill for a customer."),
  tool("list_invoices", "Gives the bills of a month."),
  tool("HTTPGet", "Fetches a page."),
  tool("weather", "Tells how warm it will be.", {
    type: "object",
    properties: {
      place: { type: "object", properties: { postcode: { type: "string", description: "Of a town in Switzerland" } } },
      unit: { type: "string", enum: ["celsius", "fahrenheit"] },
    },
  }),
  tool("übersetze", "Übersetzt einen Text."),
];

const found = (query: string, limit = 10) => rankTools(tools)(query, limit).map(({ name }) => name);

describe("tools are found by words", () => {
  it.each([
    ["in names, however these are written together", "create an invoice", "createInvoice"],
    ["in names with abbreviations", "http", "HTTPGet"],
    ["in descriptions, in another form", "I want to fetch pages", "HTTPGet"],
    ["in descriptions of nested parameters", "switzerland", "weather"],
    ["in the choices of a parameter", "how many degrees fahrenheit?", "weather"],
    ["in other languages", "ÜBERSETZE das bitte", "übersetze"],
  ])("%s", (_where, query, first) => {
    expect(found(query)[0]).toBe(first);
  });

  it("rarer words count more, and no more than asked for are given", () => {
    expect(found("bills of customers", 1)).toEqual(["createInvoice"]);
  });

  it("nothing is found by words that no tool has, or by none", () => {
    expect(found("qwertz")).toEqual([]);
    expect(found("")).toEqual([]);
    expect(rankTools([])("invoice", 5)).toEqual([]);
  });
});
