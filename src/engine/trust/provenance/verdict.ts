import type { Json, JsonSchema } from "../../json.ts";

/** Where a value of a call came from, as far as the conversation shows it. */
export const origins = ["person", "workflow", "trusted", "caller", "outside", "unknown"] as const;
export type Origin = (typeof origins)[number];

/** A text or a result that came into a conversation. */
export type KnownOrigin = Exclude<Origin, "unknown">;

/** Of those the ones that may give a value. */
export type EvidenceOrigin = Exclude<KnownOrigin, "caller" | "outside">;

/** One value of a call's arguments. `path`: names and places from the arguments on. `isName`: it is the name of a member. */
export interface JudgedValue {
  path: (string | number)[];
  value: Json;
  origin: Origin;
  isName?: true;
}

/** Where one value of a call came from, as the log keeps it. */
export type ValueOrigin = Pick<JudgedValue, "path" | "origin">;

/** What a tool says of itself. */
export interface JudgedTool {
  name: string;
  parameters: JsonSchema;
  /** It changes, sends or pays. */
  acts: boolean;
  /** Names of arguments that do not decide: what a message says, not where it goes. All decide where it is absent. */
  content?: readonly string[];
  /** Names of arguments that a door's caller may fill in; none where it is absent. */
  callerArguments?: readonly string[];
}

/**
 * Whether a person must be asked after something came from outside, and the values for which. `allowed`: those for which he would be
 * asked, had he not allowed them for good.
 */
export interface Verdict {
  asks: boolean;
  because: JudgedValue[];
  values: JudgedValue[];
  allowed?: JudgedValue[];
}

/** Whether a value was given by somebody who may. */
export function isOwn(origin: Origin): boolean {
  return origin === "person" || origin === "workflow" || origin === "trusted";
}

/** Whether a call has a value that nobody gave who may, also where it decides nothing. */
export function holdsOthers({ values }: Verdict): boolean {
  return values.some(({ origin }) => !isOwn(origin));
}
