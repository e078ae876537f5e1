import type { ToolDefinition } from "../../model/chat-model.ts";
import { type Message, messageText, toolCalls } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { joinTaint, sourceOfUrl } from "../../trust/taint.ts";
import type { Execution } from "../execution.ts";
import type { TurnMemory } from "../memory/turn-memory.ts";
import { createModelCaller } from "../model-call/call-model.ts";
import { contentFilter, type ModelAnswer, type ModelCall } from "../model-call/model-call.ts";
import type { ToolCaller } from "../tool-call/call-tools.ts";
import type { Conversation } from "./conversation.ts";

/** The parts of one execution of the agent, created by `prepareTurn` and used by the phases that follow. */
export interface AgentLoop extends Execution, Pick<ToolCaller, "callTools"> {
  memory: TurnMemory;
  /** Whether the model was given untrusted content before it was asked anything. */
  untrustedBefore: boolean;
  conversation: Conversation;
  /** The tools offered to the model; empty if it cannot call tools. */
  offered: ToolDefinition[];
  askModel: ModelAsker;
}

/** Sends the model these messages for one purpose, and keeps the step. Rejects as a `ModelCaller` does. */
type ModelAsker = (purpose: ModelPurpose, messages: Message[]) => Promise<ModelAnswer & { text: string }>;

/** Makes what asks the model in one execution of the agent. */
export function createModelAsker(
  execution: Execution,
  conversation: Conversation,
  offered: ToolDefinition[],
): ModelAsker {
  const { run, progress, warn } = execution;
  const { settings } = run;
  const callModel = createModelCaller(execution);

  /** Tools to choose from are there for answers alone; `required` holds only until one has been called. */
  function toolsFor(purpose: ModelPurpose): Pick<ModelCall, "tools" | "toolChoice"> {
    if (purpose === "plan" || purpose === "summary") return { tools: [], toolChoice: "none" };
    if (purpose !== "answer") return { tools: offered, toolChoice: "none" };
    const isDone = offered.length === 0 || (settings.toolChoice === "required" && progress.hasCalledTool);
    return { tools: offered, toolChoice: isDone ? "auto" : settings.toolChoice };
  }

  function formatFor(purpose: ModelPurpose): ModelCall["responseFormat"] {
    const isAnswer = purpose === "answer" || purpose === "final" || purpose === "repair";
    // Rounds need room for the done mark, which is no JSON.
    const json = settings.outputFormat === "json" && isAnswer && (!settings.autoIterate || purpose === "repair");
    return json ? { type: "json", schema: settings.outputSchema ?? undefined } : { type: "text" };
  }

  return async (purpose, messages) => {
    const { round, iteration, steps } = progress;
    const answer = await callModel({
      purpose,
      messages,
      fromMemory: purpose === "summary" ? 0 : conversation.fromMemory,
      ...toolsFor(purpose),
      responseFormat: formatFor(purpose),
    });
    if (answer.sent && purpose === "answer") conversation.replace(answer.sent);
    const { sources = [] } = answer.message;
    // What it read there is as much from outside as what a tool reads.
    progress.untrusted = joinTaint(
      progress.untrusted,
      sources.map(({ url }) => sourceOfUrl(url)),
    );
    const text = messageText(answer.message);
    const toolNames = toolCalls(answer.message).map((part) => part.toolName);
    steps.push({ kind: "model", purpose, round, iteration, text, toolCalls: toolNames });
    const forUser = purpose === "answer" || purpose === "final";
    if (answer.finishReason === "content-filter" && !forUser) throw new RunError(contentFilter(answer.modelNodeId));
    // Where the agent ends with this answer, its ending says so.
    if (answer.finishReason === "length" && (purpose !== "answer" || toolNames.length > 0))
      warn("The model's answer was cut at its token limit.", "Raise the maximum tokens of the model node.");
    return Object.assign(answer, { text });
  };
}
