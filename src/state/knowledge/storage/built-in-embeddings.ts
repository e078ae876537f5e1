import type { Host } from "../../../engine/host.ts";
import { isJsonObject } from "../../../engine/json.ts";

/** Whether the project's functions have a model that embeds; not where they are of an earlier version, or do not answer. */
export async function hasBuiltInEmbeddings(callFunction: Host["callFunction"]): Promise<boolean> {
  const answer = await callFunction("embed", { action: "check" }, { signal: new AbortController().signal });
  return answer.ok && isJsonObject(answer.body) && typeof answer.body["model"] === "string";
}
