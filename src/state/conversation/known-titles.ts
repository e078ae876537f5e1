import type { Query } from "@tanstack/react-query";
import type { SessionKey } from "../../engine/host.ts";

/** A conversation's key among what conversations are called. */
export function titleName({ workflowId, sessionId }: SessionKey): string {
  return JSON.stringify([workflowId, sessionId]);
}

/** Under this key lies what conversations are called. */
export const titlesKey = ["memory", "titles"] as const;

/** Whether a query has asked what conversations are called and has a title of each: a title stays until a person edits it. */
export function hasAllTitles({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
  const [area, what, , keys] = queryKey;
  if (area !== titlesKey[0] || what !== titlesKey[1] || !Array.isArray(keys)) return false;
  return state.status === "success" && Object.keys(Object(state.data)).length === keys.length;
}
