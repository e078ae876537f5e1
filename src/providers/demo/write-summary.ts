import {
  summaryAdditionHeading,
  summaryInstruction,
  summarySoFarHeading,
} from "../../engine/memory/summary-instructions.ts";
import { type Message, messageText } from "../../engine/model/message.ts";

/** The longest summary, in characters; its end holds what is newest. */
const maxSummaryChars = 2_000;

/** The summary that a request asks for: what the user said, word for word. Undefined for any other request. */
export function writeSummary(messages: readonly Message[]): string | undefined {
  const [system, request] = messages;
  if (system?.role !== "system" || system.text !== summaryInstruction || !request) return undefined;
  const [before = "", added = ""] = messageText(request).split(`${summaryAdditionHeading}\n`);
  const soFar = before.replace(`${summarySoFarHeading}\n`, "").trim();
  const said = added
    .split("\n")
    .filter((line) => line.startsWith("User: "))
    .map((line) => `The user said: “${line.slice("User: ".length)}”.`);
  const whole = [soFar, ...said].filter((line) => line !== "").join("\n");
  return whole === "" ? "Nothing was said." : whole.slice(-maxSummaryChars);
}
