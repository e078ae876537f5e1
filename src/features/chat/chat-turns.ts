import type { Message } from "../../engine/model/message.ts";
import type { ConversationRun } from "../../services/run-history.ts";
import { answerText } from "../../doors/answer-text.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { rememberedAt } from "../../state/run/remembered-at.ts";
import type { RunStoreState } from "../../state/run/run-store.ts";
import { textsOf } from "./answer-speeches.ts";
import { messageOfInput } from "./chat-message.ts";
import { partsOfRun } from "./chat-parts.ts";

type Runs = Pick<RunStoreState, "runs" | "past">;

/** Whether a run with this input answers a message of the conversation. */
function isTurnOf(input: Json | undefined, sessionId: string): boolean {
  return isJsonObject(input) && input.sessionId === sessionId && typeof input.message === "string";
}

/** The runs of this tab that answer a message of a conversation, oldest first. */
export function turnsOf(started: readonly string[], { runs, past }: Runs, sessionId: string): string[] {
  return started.filter((id) => isTurnOf(runs[id]?.input ?? past[id]?.input, sessionId));
}

/** When a turn was saved to a memory; null if it was not. */
function savedAt({ runs, past }: Runs, id: string): number | null {
  const run = runs[id];
  return run === undefined ? (past[id]?.rememberedAt ?? null) : rememberedAt(run);
}

/** The turns that a memory did not hold yet when it was read; the others come from there. */
export function turnsAfter(turns: readonly string[], held: Runs, readAt: number): string[] {
  return turns.filter((id) => {
    const saved = savedAt(held, id);
    return saved === null || saved >= readAt;
  });
}

/** What a memory held when it was read, and the runs of its conversation. */
export interface EarlierMessages {
  messages: Message[];
  runs: readonly ConversationRun[];
  /** Milliseconds since 1970: turns that were saved before it are among them, later ones are not. */
  readAt: number;
}

const mostReads = 3;

/** Reads a memory, once more where a turn was saved meanwhile: whether that is among what was read cannot be told. */
export async function readEarlier(
  read: () => Promise<Omit<EarlierMessages, "readAt">>,
  ownTurns: () => { turns: readonly string[]; held: Runs },
  now: () => number = Date.now,
): Promise<EarlierMessages> {
  for (let reads = 1; ; reads += 1) {
    const readAt = now();
    const earlier = await read();
    const { turns, held } = ownTurns();
    // A clock that was set back would have it read for ever.
    if (reads === mostReads || turns.every((id) => (savedAt(held, id) ?? 0) < readAt)) return { ...earlier, readAt };
  }
}

/** The question and the answer of a turn. */
export function wordsOfRun({ runs, past }: Runs, runId: string): { question: string; answer: string } {
  const run = runs[runId];
  if (run === undefined) {
    const { input, output } = past[runId] ?? {};
    return { question: messageOfInput(input).text, answer: answerText(output) };
  }
  return { question: messageOfInput(run.input).text, answer: textsOf(partsOfRun(run)).join("\n\n") };
}
