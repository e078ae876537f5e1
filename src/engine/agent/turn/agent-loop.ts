import type { ToolChoice, ToolDefinition } from "../../model/chat-model.ts";
import { messageText, toolCalls } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { joinTaint, sourceOfUrl } from "../../trust/taint.ts";
import type { ModelCaller } from "../model-call/call-model.ts";
import { contentFilter, type ModelAnswer, type ModelCall } from "../model-call/model-call.ts";
import type { ToolCaller } from "../tool-call/call-tools.ts";
import type { Execution } from "../execution.ts";
import type { TurnMemory } from "../memory/turn-memory.ts";
import type { Conversation } from "./conversation.ts";

/** The parts of one execution of the agent, created by `prepareTurn` and used by the phases that follow. */
export interface AgentLoop extends Execution {
  memory: TurnMemory;
  /** Whether the model was given untrusted content before it was asked anything. */
  untrustedBefore: boolean;
  conversation: Conversation;
  /** The tools offered to the model; empty if it cannot call tools. */
  offered: ToolDefinition[];
  callModel: ModelCaller;
  callTools: ToolCaller;
}

/** `required` only until one tool has been called; nothing to choose without tools. */
export function currentToolChoice({ run, offered, progress }: AgentLoop): ToolChoice {
  const { toolChoice } = run.settings;
  if (offered.length === 0) return "auto";
  return toolChoice === "required" && progress.hasCalledTool ? "auto" : toolChoice;
}

/** Calls the model for one purpose, with the json format where the settings ask for it, and keeps the step. */
export async function askModel(
  loop: AgentLoop,
  purpose: ModelPurpose,
  call: Pick<ModelCall, "messages" | "tools" | "toolChoice">,
): Promise<ModelAnswer & { text: string }> {
  const { settings, nodeId } = loop.run;
  const { round, iteration, steps } = loop.progress;
  const isAnswer = purpose === "answer" || purpose === "final" || purpose === "repair";
  // Rounds need room for the done mark, which is no JSON.
  const json = settings.outputFormat === "json" && isAnswer && (!settings.autoIterate || purpose === "repair");
  const { messages, tools, toolChoice } = call;
  const answer = await loop.callModel({
    messages,
    tools,
    toolChoice,
    purpose,
    fromMemory: purpose === "summary" ? 0 : loop.conversation.fromMemory,
    responseFormat: json ? { type: "json", schema: settings.outputSchema ?? undefined } : { type: "text" },
  });
  if (answer.sent && purpose === "answer") loop.conversation.replace(answer.sent);
  const { sources = [] } = answer.message;
  // What it read there is as much from outside as what a tool reads.
  loop.progress.untrusted = joinTaint(
    loop.progress.untrusted,
    sources.map(({ url }) => sourceOfUrl(url)),
  );
  const text = messageText(answer.message);
  const toolNames = toolCalls(answer.message).map((part) => part.toolName);
  steps.push({ kind: "model", purpose, round, iteration, text, toolCalls: toolNames });
  const forUser = purpose === "answer" || purpose === "final";
  if (answer.finishReason === "content-filter" && !forUser) throw new RunError(contentFilter(answer.modelNodeId));
  // Where the agent ends with this answer, its ending says so.
  if (answer.finishReason === "length" && (purpose !== "answer" || toolNames.length > 0))
    loop.run.emit({
      type: "warning",
      nodeId,
      message: "The model's answer was cut at its token limit.",
      hint: "Raise the maximum tokens of the model node.",
    });
  return Object.assign(answer, { text });
}
