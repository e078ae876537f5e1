import type { ToolDefinition } from "../../engine/model/chat-model.ts";

/** A tool on offer. */
export const calculator: ToolDefinition = {
  name: "calculator",
  description: "Calculates.",
  parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
};
