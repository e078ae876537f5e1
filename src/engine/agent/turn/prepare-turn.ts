import type { ToolDefinition } from "../../model/chat-model.ts";
import { type Message, messageText, taintOfMessages, toolCalls } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import type { ModelPurpose } from "../../run/events.ts";
import { joinTaint, noTaint, sourceOfUrl } from "../../trust/taint.ts";
import { type Attachments, questionFor } from "../attachments.ts";
import type { Execution } from "../execution.ts";
import { intercepted } from "../interceptor.ts";
import { openTurnMemory, type TurnMemory } from "../memory/turn-memory.ts";
import { createModelCaller } from "../model-call/call-model.ts";
import { contentFilter, type ModelAnswer, type ModelCall } from "../model-call/model-call.ts";
import { type CallTools, createToolCaller } from "../tool-call/call-tools.ts";
import { callWithinBudget } from "./budget.ts";
import { type Conversation, repairHistory, startConversation } from "./conversation.ts";
import { jsonInstruction, roundsInstruction } from "./instructions.ts";
import { readContext } from "./read-context.ts";

/** The parts of one execution of the agent, made by `prepareTurn` and used by the phases that follow. */
export interface AgentLoop extends Execution {
  memory: TurnMemory;
  /** Whether the model was given untrusted content before it was asked anything. */
  untrustedBefore: boolean;
  conversation: Conversation;
  /** The tools offered to the model; empty if it cannot call tools. */
  offered: ToolDefinition[];
  askModel: ModelAsker;
  callTools: CallTools;
}

/**
 * Makes all that a turn needs: what came before it, its conversation and its tools. Rejects with a RunError where there is
 * nothing to ask, and when the deadline aborts.
 */
export async function prepareTurn(execution: Execution): Promise<AgentLoop> {
  const { run, deadline, progress } = execution;
  const { settings } = run;
  deadline.signal.throwIfAborted();
  if (settings.userMessage.trim() === "")
    throw new RunError({
      code: "invalid_config",
      message: "The user message is empty, so there is nothing to ask the model.",
      hint: "Fill in the user message, or send a message to the trigger.",
      nodeId: run.nodeId,
    });
  const memory = await openTurnMemory(execution);
  const { history, notes, scratchpad } = memory;
  progress.untrusted = joinTaint(run.untrusted ?? noTaint, taintOfMessages([...history, ...notes]));
  const context = await readContext(execution);
  const own = scratchpad ? [{ value: { tools: scratchpad.tools }, nodeId: run.nodeId, edgeId: "" }] : [];
  const { definitions, callTools } = createToolCaller(execution, [...run.tools, ...own]);
  const { capabilities } = run.model.value;
  const { question, unread } = questionFor(capabilities, settings.userMessage, run);
  warnOfUnsent(execution, definitions, unread);
  const conversation = startConversation(settings.systemPrompt, repairHistory(history), question, context);
  if (settings.outputFormat === "json") conversation.addToSystem(jsonInstruction(settings.outputSchema));
  if (settings.autoIterate) conversation.addToSystem(roundsInstruction);
  const offered = capabilities.tools ? definitions : [];
  return {
    ...execution,
    memory,
    untrustedBefore: progress.untrusted.length > 0,
    conversation,
    offered,
    askModel: createModelAsker(execution, conversation, offered),
    callTools: intercepted(callTools, [callWithinBudget(execution)]),
  };
}

/** Tells the log of tools and attachments that the model is not given, since it cannot use them. */
function warnOfUnsent({ run, warn }: Execution, tools: readonly ToolDefinition[], unread: Attachments): void {
  const { modelId, capabilities } = run.model.value;
  if (!capabilities.tools && tools.length > 0)
    warn(
      `The model ${modelId} cannot call tools, so none are offered.`,
      "Choose a model that supports tool calls, or remove the tools.",
    );
  if (unread.images.length > 0)
    warn(
      `The model ${modelId} cannot see images, so they were not sent.`,
      "Choose a model with vision, or send the message without images.",
    );
  for (const { name = "a file" } of unread.files)
    warn(
      `The model ${modelId} cannot read ${name}, so it was not sent.`,
      "Choose a model that reads such files, or send the message without it.",
    );
}

/** Sends the model these messages for one purpose, and keeps the step. Rejects as a `ModelCaller` does. */
type ModelAsker = (purpose: ModelPurpose, messages: Message[]) => Promise<ModelAnswer & { text: string }>;

/** Makes what asks the model in one execution of the agent. */
function createModelAsker(execution: Execution, conversation: Conversation, offered: ToolDefinition[]): ModelAsker {
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
