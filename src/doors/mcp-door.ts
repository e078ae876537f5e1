import { z } from "zod/mini";
import type { Json, JsonObject, JsonSchema } from "../engine/json.ts";
import type { PublishedInterface } from "./published-interface.ts";

/** The settings of a publication as a tool of MCP clients. */
export const mcpDoorConfig = z.object({
  /** What it does, for the model that chooses among tools. Empty: said from the workflow's name. */
  description: z._default(z.string().check(z.trim(), z.maxLength(1_000)), ""),
  /** Whether what callers send counts as the owner's words. */
  callersTrusted: z._default(z.boolean(), false),
});

/** The settings of a publication as a tool of MCP clients, parsed. */
export type McpDoorConfig = z.infer<typeof mcpDoorConfig>;

/** What is said of a workflow whose owner has not described it. */
export function usualMcpDescription(name: string, takesMessages: boolean): string {
  return takesMessages
    ? `Sends a message to "${name}" and returns its answer.`
    : `Runs the workflow "${name}" and returns its output.`;
}

/** Arguments of MCP tools are always objects; a workflow that takes another value gets it from the field `input`. */
export interface McpInput {
  schema: JsonSchema & { type: "object" };
  /** The input of a run, from a call's arguments. */
  read(given: JsonObject): Json;
}

/** How a call of the tool becomes the input of a run. */
export function mcpInputOf({ inputSchema }: Pick<PublishedInterface, "inputSchema">): McpInput {
  const { type } = inputSchema;
  if (type === undefined || type === "object") {
    return { schema: { ...inputSchema, type: "object" }, read: (given) => given };
  }
  const { examples, ...schema } = inputSchema;
  const shown: JsonSchema = Array.isArray(examples) ? { examples: examples.map((input) => ({ input })) } : {};
  return {
    schema: { ...shown, type: "object", properties: { input: schema }, required: ["input"] },
    read: (given) => given["input"] ?? null,
  };
}
