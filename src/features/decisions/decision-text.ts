import type { Decision } from "../../evaluation/steps/decision.ts";
import type { Stability } from "../../evaluation/steps/stability.ts";
import { percent } from "../../evaluation/statistics/words.ts";

const mostChars = 120;

/** What was decided, in a line: "calls weather {"city":"Oslo"}", "answers". */
export function decisionText({ calls, fields }: Decision): string {
  if (calls.length === 0) return fields === undefined ? "answers in words" : `answers ${short(fields)}`;
  return `calls ${calls.map(({ name, input }) => `${name} ${short(input)}`).join(", ")}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}

/** What the counts mean, as a sentence. */
export function stabilityText({ same, of, failed, failure, interval }: Stability): string {
  const count = failed === 1 ? "1 request failed and does not count" : `${failed} requests failed and do not count`;
  const left = failure ? ` ${count}: ${failure.message} ${failure.hint}` : "";
  if (of === 0) return `No answer counts yet.${left}`;
  const { low, high } = interval;
  const range = same === of ? `at least ${percent(low)}` : `${percent(low)} to ${percent(high)}`;
  return `The model decided the same ${same} of ${of} times. With 95 % confidence it does so ${range} of the time.${left}`;
}
