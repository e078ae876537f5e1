import { type AgentEnding, roundLimitEnding } from "../ending.ts";
import type { Execution } from "../execution.ts";
import type { Interceptor } from "../interceptor.ts";
import { doneMark } from "./instructions.ts";

/** How the agent's rounds ended: with the model's answer, or early (`ending`) with the text that there was. */
export interface RoundResult {
  text: string;
  ending?: AgentEnding;
  /** The text is the agent's own, since the model gave none. */
  unanswered?: true;
}

/** Which iteration it is within its round, and which round; both from 1. */
export interface IterationPlace {
  iteration: number;
  round: number;
}

/** What follows an iteration: nothing, as the agent is done, or another one in the same round or in the next. */
export type IterationEnd = { over: RoundResult } | { over?: never; next: "iteration" | "round" };

/** Stands around an iteration. */
export type IterationInterceptor = Interceptor<IterationPlace, IterationEnd>;

/** Decides after each round whether the agent is done. */
export interface Rounds {
  /** What follows an answer, which ends its round. */
  settle(answer: RoundResult): IterationEnd;
  /** The end of an agent that stops before it is done. */
  stop(result: RoundResult): IterationEnd;
  /** The text of the last round. */
  lastText(): string;
}

/** The rounds of one execution: a single one unless the settings ask for more. */
export function createRounds({ run, progress }: Execution): Rounds {
  const { autoIterate, maxRounds } = run.settings;
  let last = "";

  /** A result as the user reads it. A model may answer with nothing but the mark: then the round before holds the text. */
  function unmarked(result: RoundResult): RoundResult {
    if (!autoIterate) return result;
    const text = result.text.replaceAll(doneMark, "").trimEnd();
    last = text.trim() === "" ? last : text;
    return { ...result, text: last };
  }

  return {
    settle(answer) {
      const over = unmarked(answer);
      if (!autoIterate || answer.ending || answer.text.includes(doneMark)) return { over };
      if (progress.round < maxRounds) return { next: "round" };
      return { over: { text: last, ending: roundLimitEnding(run.nodeId, maxRounds) } };
    },
    stop: (result) => ({ over: unmarked(result) }),
    lastText: () => last,
  };
}
