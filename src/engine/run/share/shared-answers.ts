import type { EventOf, ModelPurpose, RunEvent } from "../events.ts";
import type { SharedParts } from "./shared-run.ts";
import type { SharedText } from "./shared-text.ts";

type Delta = EventOf<"text-delta"> | EventOf<"reasoning-delta">;

/** Pieces of one answer that are kept: enough to see it grow. */
const mostPieces = 40;

/** What was streamed of one model call. */
interface Answer {
  purpose: ModelPurpose;
  /** Inside a tool call, whose result it is part of. */
  isInner: boolean;
  text: Delta[];
  reasoning: Delta[];
}

/** By the id of their call. */
export type Answers = ReadonlyMap<string, Answer>;

export function gatherAnswers(events: readonly RunEvent[]): Answers {
  const answers = new Map<string, Answer>();
  for (const event of events) {
    if (event.type === "model-request") {
      const { callId, purpose, parentCallId } = event;
      answers.set(callId, { purpose, isInner: parentCallId !== undefined, text: [], reasoning: [] });
    }
    if (event.type === "text-delta") answers.get(event.callId)?.text.push(event);
    if (event.type === "reasoning-delta") answers.get(event.callId)?.reasoning.push(event);
  }
  return answers;
}

/** Whose words they are decides: an agent's answer is shown, a plan quotes the prompts, a summary is of other runs. */
const wordsOf: Record<ModelPurpose, (parts: SharedParts) => boolean> = {
  answer: () => true,
  final: () => true,
  plan: ({ prompts }) => prompts,
  reflection: ({ prompts }) => prompts,
  repair: ({ data }) => data,
  check: ({ data }) => data,
  extract: ({ data }) => data,
  compaction: ({ data }) => data,
  summary: () => false,
};

/** Whether strangers are shown what the model said in a call. */
export function showsText(answer: Answer | undefined, parts: SharedParts): boolean {
  if (answer === undefined || (answer.isInner && !parts.data)) return false;
  return wordsOf[answer.purpose](parts);
}

/**
 * What is shown of each piece of a stream. Pieces are joined to be masked, since what is masked may be cut in two; masked words
 * come as one piece.
 */
export function sharedPieces(answers: Answers, parts: SharedParts, words: SharedText) {
  const shown = new Map<RunEvent, string>();
  for (const answer of answers.values()) {
    if (!showsText(answer, parts)) continue;
    for (const pieces of [answer.text, parts.prompts ? answer.reasoning : []]) {
      const whole = pieces.map(({ text }) => text).join("");
      const masked = words.text(whole);
      const every = masked === whole ? Math.ceil(pieces.length / mostPieces) : pieces.length;
      for (let from = 0; from < pieces.length; from += every) {
        const [first, ...others] = pieces.slice(from, from + every);
        const plain = [first, ...others].map((piece) => piece?.text ?? "").join("");
        if (first) shown.set(first, masked === whole ? plain : masked);
      }
    }
  }
  return shown;
}
