import { type AgentEnding, roundLimitEnding } from "./ending.ts";
import type { Progress } from "./progress.ts";
import { reviewHeading } from "./reflection.ts";
import type { AgentSettings } from "./settings.ts";

/** The line by which a model says that no further round is needed. */
export const doneMark = "[[DONE]]";

/** Tells the model of rounds; part of the system prompt. */
export const roundsInstruction = `You work in rounds: your result comes back to you until you say that it is done. When nothing is left to improve, end your answer with a line that holds only ${doneMark}`;

/** Begins the next round's input. */
export const nextRoundHeading = "The result of the last round:";

/** How a round ended: with the model's answer, or early (`ending`) with the text that there was. */
export interface RoundResult {
  text: string;
  ending?: AgentEnding;
  /** The text is the agent's own, since the model gave none. */
  unanswered?: true;
}

/** Decides after each round whether the agent is done. */
export interface Rounds {
  /** The agent's result when this was its last round; undefined when another one follows. */
  settle(result: RoundResult): RoundResult | undefined;
  /** The next round's input, with the review of the last one where there was one. */
  nextInput(review: string): string;
}

/** The rounds of one execution: a single one unless the settings ask for more. */
export function createRounds(
  { autoIterate, maxRounds }: Pick<AgentSettings, "autoIterate" | "maxRounds">,
  progress: Pick<Progress, "round">,
  nodeId: string,
): Rounds {
  let last = "";
  return {
    settle(result) {
      if (!autoIterate) return result;
      const { text, done } = readRound(result.text);
      // A model may answer with nothing but the mark: then the round before holds the result.
      last = text.trim() === "" ? last : text;
      if (done || result.ending) return { ...result, text: last };
      if (progress.round < maxRounds) return undefined;
      return { text: last, ending: roundLimitEnding(nodeId, maxRounds) };
    },
    nextInput(review) {
      const input = nextRoundMessage(last);
      return review === "" ? input : `${reviewHeading}\n${review}\n\n${input}`;
    },
  };
}

function nextRoundMessage(result: string): string {
  return `${nextRoundHeading}\n\n${result}\n\nGo on: check and improve it. Answer with the whole improved result, and with ${doneMark} on the last line once nothing is left to do.`;
}

/** A round's answer without the mark, and whether the mark was there. */
function readRound(answer: string): { text: string; done: boolean } {
  return { text: answer.replaceAll(doneMark, "").trimEnd(), done: answer.includes(doneMark) };
}
