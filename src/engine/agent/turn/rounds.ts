import { type AgentEnding, roundLimitEnding } from "../ending.ts";
import type { AgentSettings } from "../settings.ts";
import { doneMark, nextRoundMessage } from "./instructions.ts";
import type { Progress } from "./progress.ts";

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
      const text = result.text.replaceAll(doneMark, "").trimEnd();
      // A model may answer with nothing but the mark: then the round before holds the result.
      last = text.trim() === "" ? last : text;
      if (result.text.includes(doneMark) || result.ending) return { ...result, text: last };
      if (progress.round < maxRounds) return undefined;
      return { text: last, ending: roundLimitEnding(nodeId, maxRounds) };
    },
    nextInput: (review) => nextRoundMessage(last, review),
  };
}
