import type { ToolDefinition } from "../../model/chat-model.ts";
import { taintOfMessages } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import { noTaint } from "../../trust/taint.ts";
import { questionFor } from "../../model/attachments.ts";
import type { Execution } from "../execution.ts";
import { openTurnMemory, type TurnMemory } from "../memory/turn-memory.ts";
import { createModelAsker, type ModelAsker } from "../model-call/call-model.ts";
import { type CallTools, createToolCaller } from "../tool-call/call-tools.ts";
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
  const { run, deadline, progress, addTaint, warn } = execution;
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
  addTaint(run.untrusted ?? noTaint);
  addTaint(taintOfMessages([...history, ...notes]));
  const context = await readContext(execution);
  const own = scratchpad ? [{ value: { tools: scratchpad.tools }, nodeId: run.nodeId, edgeId: "" }] : [];
  const { definitions, callTools } = createToolCaller(execution, [...run.tools, ...own]);
  const { modelId, capabilities } = run.model.value;
  if (!capabilities.tools && definitions.length > 0)
    warn(
      `The model ${modelId} cannot call tools, so none are offered.`,
      "Choose a model that supports tool calls, or remove the tools.",
    );
  const { question, unread } = questionFor(run.model.value, settings.userMessage, run);
  for (const { message, hint } of unread) warn(message, hint);
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
    callTools,
  };
}
