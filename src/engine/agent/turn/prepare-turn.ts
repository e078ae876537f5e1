import type { ToolDefinition } from "../../model/chat-model.ts";
import { type FilePart, taintOfMessages, type UserMessage } from "../../model/message.ts";
import { RunError } from "../../run/errors.ts";
import { joinTaint, noTaint } from "../../trust/taint.ts";
import type { AgentRun } from "../agent-run.ts";
import { fileData, questionWith } from "../attachments.ts";
import type { Execution } from "../execution.ts";
import { openTurnMemory } from "../memory/turn-memory.ts";
import { createToolCaller } from "../tool-call/call-tools.ts";
import { type AgentLoop, createModelAsker } from "./agent-loop.ts";
import { type Conversation, repairHistory, startConversation } from "./conversation.ts";
import { jsonInstruction, roundsInstruction } from "./instructions.ts";
import { readContext } from "./read-context.ts";

/**
 * Makes all that a turn needs: what came before it, its conversation and its tools. Rejects with a RunError where there is
 * nothing to ask, and when the deadline aborts.
 */
export async function prepareTurn(execution: Execution): Promise<AgentLoop> {
  const { run, deadline, progress } = execution;
  deadline.signal.throwIfAborted();
  if (run.settings.userMessage.trim() === "")
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
  warnOfUnsent(run, definitions);
  const conversation = startConversation(run.settings.systemPrompt, repairHistory(history), questionOf(run), context);
  addInstructions(run, conversation);
  const offered = run.model.value.capabilities.tools ? definitions : [];
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

/** Tells the log of tools, images and files that the model is not given, since it cannot use them. */
function warnOfUnsent(run: AgentRun, tools: readonly ToolDefinition[]): void {
  const { modelId, capabilities } = run.model.value;
  const warn = (message: string, hint: string) => run.emit({ type: "warning", nodeId: run.nodeId, message, hint });
  if (!capabilities.tools && tools.length > 0)
    warn(
      `The model ${modelId} cannot call tools, so none are offered.`,
      "Choose a model that supports tool calls, or remove the tools.",
    );
  if (run.images?.length && !capabilities.vision)
    warn(
      `The model ${modelId} cannot see images, so they were not sent.`,
      "Choose a model with vision, or send the message without images.",
    );
  for (const { name = "a file" } of (run.files ?? []).filter((file) => !canRead(run, file)))
    warn(
      `The model ${modelId} cannot read ${name}, so it was not sent.`,
      "Choose a model that reads such files, or send the message without it.",
    );
}

/** The user's message of this turn, with its images and files where the model can read them. */
function questionOf(run: AgentRun): UserMessage {
  const { settings, images = [], files = [], model } = run;
  const seen = model.value.capabilities.vision ? images : [];
  return questionWith(settings.userMessage, [...seen, ...files.filter((file) => canRead(run, file))]);
}

function canRead({ model }: AgentRun, { url }: FilePart): boolean {
  const kind = fileData(url)?.kind;
  return kind !== undefined && model.value.capabilities.files?.includes(kind) === true;
}

function addInstructions({ settings }: AgentRun, conversation: Conversation): void {
  if (settings.outputFormat === "json") conversation.addToSystem(jsonInstruction(settings.outputSchema));
  if (settings.autoIterate) conversation.addToSystem(roundsInstruction);
}
