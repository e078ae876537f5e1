import { type Message, messageText, userMessage, type UserMessage } from "../../model/message.ts";
import { firstChars } from "../../well-formed.ts";
import type { Progress } from "../execution.ts";

/** Characters of each thing that is said anew after a compaction. */
const maxRestatedChars = 20_000;

/** Stands in every request for a compaction's summary. */
export const compactionInstruction =
  "The conversation is getting too long to be sent whole. Write a summary that replaces your work so far, for yourself: what you did and found, with exact names, ids, numbers, dates, addresses and file names; what failed and why; what is left to do. Do not answer the user and do not call tools. Begin at once with the summary.";

/** The summary as the message that stands in the place of what it sums up. */
export function summaryMessage(summary: string, recallName: string): UserMessage {
  return userMessage(
    `[Summary of your work so far, written by you. What it replaces can be looked up word for word with ${recallName}.]\n${summary}\n[End of the summary]`,
  );
}

/** What a summary must not change: it is said anew from what is known of the turn, word for word. */
export function restatedMessage(
  question: Message,
  { plan, reflections, toolCalls, notMade }: Pick<Progress, "plan" | "reflections" | "toolCalls" | "notMade">,
): UserMessage {
  const rejected = toolCalls.filter((call) => call.rejected === true).map((call) => call.toolName);
  const review = reflections.at(-1);
  const facts = [
    ["The user's request, word for word", messageText(question)],
    ["Your plan", plan ?? ""],
    ["Your last review", review ?? ""],
    ["Calls that the user refused", [...new Set(rejected)].join(", ")],
    ["Calls that were not made, since nobody could be asked", [...new Set(notMade)].join(", ")],
  ].filter(([, text]) => text !== "");
  const lines = facts.map(([title = "", text = ""]) => `${title}:\n${firstChars(text, maxRestatedChars)}`);
  return userMessage(
    [
      "[The conversation above was compacted. Nothing of this has changed:]",
      ...lines,
      "Go on with the next step.",
    ].join("\n\n"),
  );
}
