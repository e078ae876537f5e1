import { type AskForSummary, conversationName, type MemoryTurn } from "../../memory/memory.ts";
import {
  type AssistantMessage,
  type Message,
  toolCalls,
  type ToolMessage,
  userMessage,
  type UserMessage,
} from "../../model/message.ts";
import { RunError, type RunErrorData } from "../../errors.ts";
import { retryDelay } from "../../time/backoff.ts";
import { type Deadline, type Settled, settleOrAbort, withTimeLimit } from "../../time/deadline.ts";
import { incompleteNote } from "../ending.ts";
import type { Execution } from "../execution.ts";

const timeoutMs = 30_000;
/** How often a failed load or save is retried: the database may be restarting. */
const maxRetries = 2;

/** The agent's use of its memory: every failure is an event, never the end of the run. */
export interface AgentMemory {
  /** The stored conversation, empty without a memory or after a failure. */
  load(session: string, turn?: MemoryTurn): Promise<Message[]>;
  /** Writes all messages at once; false when that failed. */
  save(session: string, messages: Message[], turn?: MemoryTurn): Promise<boolean>;
  /** Lets the memory shorten what the next turn loads. */
  compact(session: string, ask: AskForSummary): Promise<void>;
  /** The session in use, or undefined without a memory. */
  session: string | undefined;
}

function problem(settled: Exclude<Settled<unknown>, { kind: "done" }>, doing: string): RunErrorData {
  const hint = "The agent continues without it. Check the memory node and its connection.";
  if (settled.kind === "threw" && settled.error instanceof RunError) return settled.error.data;
  const cause =
    settled.kind === "timeout"
      ? `no answer within ${timeoutMs / 1000} s`
      : settled.kind === "threw" && settled.error instanceof Error
        ? settled.error.message
        : "it was interrupted";
  return { code: "memory_error", message: `The memory could not be ${doing}: ${cause}.`, hint, retryable: true };
}

/** Connects the memory to the run's events. Loading and saving reject only when the deadline aborts. */
export function createAgentMemory({ run, deadline, progress, waitToRetry }: Execution): AgentMemory {
  const { memory, host, nodeId } = run;
  if (!memory)
    return {
      load: () => Promise.resolve([]),
      save: () => Promise.resolve(false),
      compact: () => Promise.resolve(),
      session: undefined,
    };
  const { value: store, nodeId: memoryNodeId, edgeId } = memory;
  let saves = 0;

  /**
   * The same writes of a turn have the same ids, so that one that Stop came upon is made again and adds nothing if it was done.
   * If the run can be resumed, the id comes from the answer that the write follows: the process may go away between the write
   * and its event.
   */
  const nameWrite = () => {
    saves += 1;
    const durable = host.checkpoint ? progress.lastModelCall : undefined;
    return { id: `${durable ?? (progress.writeName ??= host.newId())}/${saves}` };
  };

  /** Retries temporary failures. A timeout is not retried: it has used up its time. */
  async function attempt<Value>(
    doing: string,
    work: (limit: Pick<Deadline, "signal">) => Promise<Value>,
  ): Promise<Settled<Value>> {
    for (let number = 1; ; number += 1) {
      const settled = await withTimeLimit(host, deadline.signal, timeoutMs, work);
      if (settled.kind !== "threw" || number > maxRetries || deadline.signal.aborted) return settled;
      const error = problem(settled, doing);
      if (!error.retryable) return settled;
      const delayMs = retryDelay(host, number, error);
      await waitToRetry(memoryNodeId, { attempt: number, maxAttempts: maxRetries, delayMs, error });
    }
  }

  return {
    session: conversationName(run.settings.sessionId.trim() || store.defaultSession, nodeId),
    async load(session, turn) {
      const use = { nodeId, memoryNodeId, edgeId, session };
      const recorded = turn && run.replay?.history();
      const event = recorded && run.replay?.memory("memory-load", session);
      if (recorded && event) {
        run.replay?.emit({ type: "memory-load", ...use, messages: recorded.length, durationMs: event.durationMs });
        return recorded;
      }
      const startedAt = host.now();
      const settled = await attempt("read", () => store.getMessages(session, turn));
      deadline.signal.throwIfAborted();
      if (settled.kind === "done") {
        const durationMs = host.now() - startedAt;
        run.emit({ type: "memory-load", ...use, messages: settled.value.length, durationMs });
        return settled.value;
      }
      run.emit({ type: "memory-error", ...use, operation: "load", error: problem(settled, "read") });
      return [];
    },
    async save(session, messages, turn) {
      deadline.signal.throwIfAborted();
      const use = { nodeId, memoryNodeId, edgeId, session };
      const write = nameWrite();
      const event = run.replay?.memory("memory-save", session);
      if (event) {
        run.replay?.emit({ type: "memory-save", ...use, messages: event.messages, durationMs: event.durationMs });
        return true;
      }
      const startedAt = host.now();
      const stored = run.forMemory?.(messages) ?? messages;
      // The answer that the turn ends with is stored before the turn: otherwise it could be asked for again.
      if (host.checkpoint) await host.checkpoint();
      deadline.signal.throwIfAborted();
      const settled = await attempt("written", (limit) =>
        store.addMessages(session, stored, turn, { ...write, signal: limit.signal }),
      );
      deadline.signal.throwIfAborted();
      if (settled.kind !== "done") {
        run.emit({ type: "memory-error", ...use, operation: "save", error: problem(settled, "written") });
        return false;
      }
      const scratch = store.isScratch ? { scratch: true as const } : {};
      run.emit({
        type: "memory-save",
        ...use,
        messages: messages.length,
        ...scratch,
        durationMs: host.now() - startedAt,
      });
      return true;
    },
    async compact(session, ask) {
      if (!store.compact || deadline.signal.aborted) return;
      const settled = await settleOrAbort(store.compact(session, ask), deadline.signal);
      if (settled.kind === "done") return;
      // The answer is there and saved: neither the model nor the time limit may take it back. Stop still stops.
      if (run.signal.aborted) deadline.signal.throwIfAborted();
      const use = { nodeId, memoryNodeId, edgeId, session };
      run.emit({ type: "memory-error", ...use, operation: "compact", error: problem(settled, "shortened") });
    },
  };
}

/**
 * History that every vendor accepts: no system messages, no tool result without its call, no call without its result,
 * no empty assistant message. Windows and hand edits leave such halves behind. Answers that ended early say so.
 */
export function repairHistory(history: readonly Message[]): Message[] {
  const repaired: Message[] = [];
  for (let index = 0; index < history.length;) {
    const message = history[index];
    index += 1;
    if (!message || message.role === "system" || message.role === "tool") continue;
    if (message.role === "user") {
      repaired.push(withoutOrigin(message));
      continue;
    }
    const results = new Map<string, ToolMessage>();
    for (let next = history[index]; next?.role === "tool"; next = history[index]) {
      results.set(next.callId, next);
      index += 1;
    }
    const kept = withNote(keepAnswered(message, results));
    if (kept.parts.length === 0) continue;
    repaired.push(kept);
    for (const call of toolCalls(kept)) {
      const result = results.get(call.callId);
      if (result) repaired.push(result);
    }
  }
  return repaired;
}

/**
 * History that begins with a question, as every vendor wants it: a window may begin in the middle of a turn. Where it holds no
 * question at all, one stands for what is no longer there.
 */
export function fromFirstQuestion(history: readonly Message[]): Message[] {
  if (history.length === 0) return [];
  const first = history.findIndex(({ role }) => role === "user");
  return first === -1 ? [userMessage("(Earlier messages are left out.)"), ...history] : history.slice(first);
}

function keepAnswered(message: AssistantMessage, results: ReadonlyMap<string, ToolMessage>): AssistantMessage {
  const seen = new Set<string>();
  const parts = message.parts.filter((part) => {
    if (part.type !== "tool-call") return true;
    const keep = results.has(part.callId) && !seen.has(part.callId);
    seen.add(part.callId);
    return keep;
  });
  return parts.length === message.parts.length ? message : { ...message, parts };
}

function withoutOrigin(message: UserMessage): UserMessage {
  const { origin, ...rest } = message;
  return origin === undefined ? message : rest;
}

/** An answer that ended early, with a sentence that says so in the place of the mark, which only the memory knows. */
function withNote(message: AssistantMessage): AssistantMessage {
  const { incomplete, failure: _, ...rest } = message;
  if (incomplete === undefined) return message;
  const note = incompleteNote(incomplete);
  return { ...rest, parts: [...message.parts, { type: "text", text: rest.parts.length > 0 ? `\n\n${note}` : note }] };
}
