import { isJsonObject, type Json } from "../../json.ts";

/** What two runs of an agent never have in common; a comparison tells of it beside the outputs. */
const figures = new Set(["usage", "costUsd", "durationMs"]);

/**
 * What a run gave, for a comparison with another one's: of an agent the answer first, and no figures, by which any two
 * answers would differ. Anything else is as it was.
 */
export function comparableOutput(output: Json | undefined): Json | undefined {
  if (!isJsonObject(output) || !Object.hasOwn(output, "response")) return output;
  const { response, metadata, ...rest } = output;
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, "durationMs")) return output;
  const left = Object.entries(metadata).filter(([name]) => !figures.has(name));
  return { response: response ?? null, ...rest, metadata: Object.fromEntries(left) };
}
