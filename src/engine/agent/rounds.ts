/** The line by which a model says that no further round is needed. */
export const doneMark = "[[DONE]]";

/** Tells the model of rounds; part of the system prompt. */
export const roundsInstruction = `You work in rounds: your result comes back to you until you say that it is done. When nothing is left to improve, end your answer with a line that holds only ${doneMark}`;

/** Begins the next round's input. */
export const nextRoundHeading = "The result of the last round:";

/** The next round's input. */
export function nextRoundMessage(result: string): string {
  return `${nextRoundHeading}\n\n${result}\n\nGo on: check and improve it. Answer with the whole improved result, and with ${doneMark} on the last line once nothing is left to do.`;
}

/** A round's answer without the mark, and whether the mark was there. */
export function readRound(answer: string): { text: string; done: boolean } {
  return { text: answer.replaceAll(doneMark, "").trimEnd(), done: answer.includes(doneMark) };
}
