import { describe, expect, it } from "vitest";
import { chooseCalls } from "./choose-calls.ts";
import { findTable } from "./find-table.ts";

const text = { type: "string" };
const tool = (name: string, properties: Record<string, object>, required: string[]) => ({
  name,
  description: name,
  parameters: { type: "object", properties: JSON.parse(JSON.stringify(properties)), required },
});
const reader = tool("read_rows", { table: text, where: { type: "array" } }, ["table"]);
const writer = tool("change_rows", { table: text, values: { type: "object" } }, ["table", "values"]);

describe("the table that a question is about", () => {
  it.each([
    ["Show the first rows of orders", "orders"],
    ["List all customers.", "customers"],
    ["What is in the table sales.people?", "sales.people"],
    ["How many rows from invoices are open?", "invoices"],
    ["Good morning", undefined],
  ])("%s", (question, table) => {
    expect(findTable(text, question)).toBe(table);
  });

  it("is one of those that are offered, whatever its number and schema", () => {
    const offered = { ...text, enum: ["orders", "sales.people"] };
    expect(findTable(offered, "How much was my last order?")).toBe("orders");
    expect(findTable(offered, "Who are the people of ours?")).toBe("sales.people");
    expect(findTable(offered, "Show the invoices")).toBeUndefined();
  });
});

describe("the demo model and tables", () => {
  it("reads with the tool that only reads", () => {
    expect(chooseCalls([writer, reader], "Show the first rows of orders", false)).toEqual([
      { toolName: "read_rows", input: { table: "orders" } },
    ]);
    expect(chooseCalls([writer], "Show the first rows of orders", false)).toEqual([]);
    expect(chooseCalls([reader], "Hello, how are you?", false)).toEqual([]);
  });
});
