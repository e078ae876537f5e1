import { describe, expect, it } from "vitest";
import { mcpDoorConfig, mcpInputOf, usualMcpDescription } from "./mcp-door.ts";

describe("the arguments of an MCP tool", () => {
  it("are the input where that is an object", () => {
    const inputSchema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
    const { schema, read } = mcpInputOf({ inputSchema });
    expect([schema, read({ message: "Hi" })]).toEqual([inputSchema, { message: "Hi" }]);
  });

  it("may be any object where nothing is known of the input", () => {
    const { schema, read } = mcpInputOf({ inputSchema: {} });
    expect([schema, read({ a: 1 })]).toEqual([{ type: "object" }, { a: 1 }]);
  });

  it("hold another value in the field input", () => {
    const { schema, read } = mcpInputOf({ inputSchema: { type: "string", examples: ["Bern"] } });
    expect(schema).toEqual({
      type: "object",
      properties: { input: { type: "string" } },
      required: ["input"],
      examples: [{ input: "Bern" }],
    });
    expect([read({ input: "Ulm" }), read({})]).toEqual(["Ulm", null]);
  });
});

it("a tool is described by its owner, else by its name", () => {
  expect(mcpDoorConfig.parse({})).toEqual({ description: "", callersTrusted: false });
  expect(mcpDoorConfig.safeParse({ description: "x".repeat(1_001) }).success).toBe(false);
  expect(usualMcpDescription("Orders", true)).toContain('message to "Orders"');
  expect(usualMcpDescription("Orders", false)).toContain('workflow "Orders"');
});
