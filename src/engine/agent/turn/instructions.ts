import type { JsonSchema } from "../../json.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import { defaultReflectionPrompt } from "../agent-settings.ts";

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

/** Stands in every request for a review. */
export const reviewInstruction =
  "Review your actions and their results so far. Write only the review: do not call tools yet.";

/** The question for a review. */
export function reviewQuestion(prompt: string): string {
  return `${reviewInstruction}\n\n${prompt.trim() || defaultReflectionPrompt}`;
}

/** Begins the message that carries a review. */
export const reviewHeading = "Your review of the progress so far:";

/** The review as the message that guides the next step. */
export function reviewMessage(review: string): string {
  return `${reviewHeading}\n${review}\n\nGo on with the next step.`;
}

/** The line by which a model says that no further round is needed. */
export const doneMark = "[[DONE]]";

/** Tells the model of rounds; part of the system prompt. */
export const roundsInstruction = `You work in rounds: your result comes back to you until you say that it is done. When nothing is left to improve, end your answer with a line that holds only ${doneMark}`;

/** Begins the next round's input. */
export const nextRoundHeading = "The result of the last round:";

/** The next round's input, with the review of the last one where there was one. */
export function nextRoundMessage(result: string, review: string): string {
  const input = `${nextRoundHeading}\n\n${result}\n\nGo on: check and improve it. Answer with the whole improved result, and with ${doneMark} on the last line once nothing is left to do.`;
  return review === "" ? input : `${reviewHeading}\n${review}\n\n${input}`;
}

/** Stands in the request for the last answer at the iteration limit. */
export const finalInstruction =
  "You have reached the limit of steps and can call no more tools. Give the best final answer you can from what you have.";

/** Stands in the request that follows an empty answer. */
export const emptyAnswerInstruction =
  "Your last answer was empty. Give your answer to the user now, in words, from what you have. You can call no more tools.";

/** Part of the system prompt when the output format is json. */
export function jsonInstruction(schema: JsonSchema | null): string {
  const rule = "Give your final answer as one JSON value and nothing else: no prose, no code fence.";
  return schema ? `${rule} It has to fit this JSON Schema:\n${JSON.stringify(schema)}` : rule;
}

/** The message that asks for a tool call again that its vendor could not read. */
export const unreadableCallInstruction =
  "Your tool call could not be read. Call the tool again with arguments that are valid JSON and fit its schema, or answer without it.";

/** Stands in every request for a repair. */
export const repairInstruction = "Answer again with the corrected JSON only.";

/** The message that asks for a repair. */
export function repairQuestion(reason: string): string {
  return `Your answer could not be used: ${reason} ${repairInstruction}`;
}
