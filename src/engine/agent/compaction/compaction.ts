import { RunError } from "../../errors.ts";
import { type Message, userMessage } from "../../model/message.ts";
import { inputLimitOf } from "../../spending/call-cost.ts";
import { roughTokensAbove } from "../../spending/rough-tokens.ts";
import type { ToolDefinition } from "../../model/chat-model.ts";
import type { Tool } from "../../tool/tool.ts";
import { freeName } from "../../tool/free-name.ts";
import type { AgentRun, Execution } from "../execution.ts";
import type { ModelAsker } from "../model-call/call-model.ts";
import type { Conversation } from "../turn/conversation.ts";
import { compactionInstruction, restatedMessage, summaryMessage } from "./compaction-texts.ts";
import { recallTool } from "./recall-tool.ts";

/** The part of the model's context window above which a request is compacted, where the settings say nothing else. */
const windowShare = 0.6;
/** Of that: what the latest messages keep, and what a compaction has to replace to be worth its request. */
const retainedShare = 0.3;
const minReplacedShare = 0.25;

/** What of the agent's loop a compaction reads and changes. */
interface CompactedLoop {
  conversation: Conversation;
  offered(): readonly ToolDefinition[];
  askModel: ModelAsker;
}

/** By so much a request grows until a summary is asked for again that did not come. */
const growthToRetry = 1.1;

/** Keeps the requests of a turn within the model's context window. */
export interface Compaction {
  /** By which the model finds again what was replaced. */
  recall: Tool;
  /** Whether it is offered: not before there is something to find, so that requests begin equally until then. */
  hasReplaced(): boolean;
  /**
   * Replaces the oldest messages after the question by a summary that the agent's model writes, if the next request were too
   * long; in a replay exactly where the recording did. Rejects when a budget has no room for it, and when the deadline aborts.
   */
  compact(loop: CompactedLoop): Promise<void>;
}

/** What is replaced next: the first `messages` after the question, in a request of about so many `tokens`. */
interface Due {
  messages: number;
  tokens: number;
  /** Tokens above which it is done. */
  limit: number;
  /** The context window of the model, in tokens, as it was known then. */
  window: number | null;
}

/** The compaction of a turn, unless the settings want none. `taken`: names of tools. */
export function openCompaction(
  execution: Execution,
  conversation: () => Conversation,
  taken: ReadonlySet<string>,
): Compaction | undefined {
  const { run, progress, warn } = execution;
  if (!run.settings.compaction) return undefined;
  const window = smallestWindow(run);
  const limit = run.settings.compactAbove ?? (window === null ? null : Math.floor(window * windowShare));
  /** Tokens of the request before which no summary came. */
  let failedAt = 0;
  const recall = recallTool(freeName("recall_earlier", taken), {
    messages: () => conversation().replaced,
    resultOf: (callId) => progress.results.get(callId),
    untrusted: () => progress.untrusted,
  });

  function due(loop: CompactedLoop): Due | undefined {
    const recorded = run.replay?.compaction();
    if (recorded === "none") return undefined;
    if (recorded) return recorded;
    if (limit === null) return undefined;
    const tokens = roughTokensAbove(limit, { messages: loop.conversation.messages(), tools: [...loop.offered()] });
    if (tokens < failedAt * growthToRetry || tokens === 0) return undefined;
    const messages = messagesToReplace(loop.conversation.afterQuestion(), limit);
    return messages === 0 ? undefined : { messages, tokens, limit, window };
  }

  return {
    recall,
    hasReplaced: () => conversation().replaced.length > 0,
    async compact(loop) {
      const next = due(loop);
      if (!next) return;
      const { messages, tokens } = next;
      run.emit({
        type: "compaction",
        nodeId: run.nodeId,
        iteration: progress.iteration,
        messages,
        tokens,
        limit: next.limit,
        window: next.window,
      });
      const kept = loop.conversation.afterQuestion().length - messages;
      const all = loop.conversation.messages();
      const asked = [...all.slice(0, all.length - kept), userMessage(compactionInstruction)];
      const summary = await loop.askModel("compaction", asked).catch((error: unknown) => {
        if (!(error instanceof RunError) || error.data.code === "budget" || execution.deadline.signal.aborted)
          throw error;
        return { text: "", reason: error.message };
      });
      if (summary.text.trim() === "") {
        failedAt = tokens;
        const reason = "reason" in summary ? summary.reason : "The model wrote no summary.";
        warn(`The conversation could not be compacted, so it is sent in full. ${reason}`, failedHint);
        return;
      }
      loop.conversation.replaceOldest(
        messages,
        summaryMessage(summary.text, recall.name),
        restatedMessage(loop.conversation.question, progress),
      );
    },
  };
}

/** The smallest context window, in tokens, of the models that the agent may come to use; null where none is known. */
function smallestWindow({ model, fallback = [] }: AgentRun): number | null {
  const windows = [model, ...fallback].flatMap(({ value: { provider, catalog = provider, modelId } }) => {
    const window = inputLimitOf(catalog, modelId);
    return window === null ? [] : [window];
  });
  return windows.length === 0 ? null : Math.min(...windows);
}

const failedHint = "Choose a model with a longer context window, shorten tool results, or turn compaction off.";

/**
 * How many of the messages after the question are replaced: all but the latest ones, which begin with the model's words so that
 * no result stands without its call. None where that would save too little.
 */
function messagesToReplace(messages: readonly Message[], limit: number): number {
  let kept = 0;
  let split = messages.length;
  for (let index = messages.length - 1; index > 0; index -= 1) {
    const message = messages[index];
    if (!message) continue;
    kept += tokensOf([message]);
    if (message.role === "tool") continue;
    if (kept > limit * retainedShare && split < messages.length) break;
    split = index;
    if (kept > limit * retainedShare) break;
  }
  if (split === messages.length) return 0;
  return tokensOf(messages.slice(0, split)) < limit * minReplacedShare ? 0 : split;
}

const tokensOf = (messages: readonly Message[]) => roughTokensAbove(0, { messages: [...messages], tools: [] });
