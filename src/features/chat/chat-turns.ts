import { answerText } from "../../engine/doors/answer-text.ts";
import { isJsonObject, type Json } from "../../engine/json.ts";
import { rememberedAt } from "../../stores/remembered-at.ts";
import type { RunStoreState } from "../../stores/run-store.ts";
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

/** The turns that a memory did not hold yet when it was read; the others come from there. */
export function turnsAfter(turns: readonly string[], { runs, past }: Runs, readAt: number): string[] {
  return turns.filter((id) => {
    const run = runs[id];
    const saved = run === undefined ? past[id]?.rememberedAt : rememberedAt(run);
    return saved === undefined || saved === null || saved >= readAt;
  });
}

/** The question and the answer of a turn. */
export function wordsOfRun({ runs, past }: Runs, runId: string): { question: string; answer: string } {
  const run = runs[runId];
  if (run === undefined) {
    const { input, output } = past[runId] ?? {};
    return { question: messageOfInput(input).text, answer: answerText(output) };
  }
  const answer = partsOfRun(run).flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return { question: messageOfInput(run.input).text, answer: answer.join("\n\n") };
}
