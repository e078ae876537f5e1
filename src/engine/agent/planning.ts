import type { ToolDefinition } from "../model/chat-model.ts";

/** Stands in every request for a plan. */
export const planInstruction =
  "Before you act, write a short numbered plan of the steps that lead to a good answer to the last message. Write only the plan: do not answer yet and do not call tools.";

/** The question for a plan; names the tools, which are not offered in this call. */
export function planQuestion(tools: readonly ToolDefinition[]): string {
  if (tools.length === 0) return planInstruction;
  const lines = tools.map(({ name, description }) => `- ${name}: ${description}`);
  return `${planInstruction}\n\nTools that you can use later:\n${lines.join("\n")}`;
}

/** The plan as part of the system prompt of the loop. */
export function planSection(plan: string): string {
  return `Your plan (change it when results call for it):\n${plan}`;
}
