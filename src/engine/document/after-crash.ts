import type { JsonObject } from "../json.ts";

/**
 * What becomes of a call or a step that was under way when the run's process went away, and may therefore have been done: it is
 * done again, a person decides, or it fails.
 */
export const afterCrashChoices = ["repeat", "ask", "fail"] as const;

/** One of `afterCrashChoices`. */
export type AfterCrash = (typeof afterCrashChoices)[number];

/** What a stored config says; a person decides where it says nothing. */
export function afterCrashIn(config: JsonObject): AfterCrash {
  return afterCrashChoices.find((choice) => choice === config["afterCrash"]) ?? "ask";
}
