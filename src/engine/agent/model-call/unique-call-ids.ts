import type { AssistantMessage } from "../../model/message.ts";

/**
 * Gives every call of a message an id of its own, since vendors refuse repeated ones and some servers number anew in
 * each answer. `repeatedIds` names the calls whose id another call of the same message already had.
 */
export function uniqueCallIds(
  message: AssistantMessage,
  used: Set<string>,
  newId: () => string,
): { message: AssistantMessage; repeatedIds: ReadonlyMap<string, string> } {
  const here = new Set<string>();
  const repeatedIds = new Map<string, string>();
  let changed = false;
  const parts = message.parts.map((part) => {
    if (part.type !== "tool-call") return part;
    const taken = part.callId === "" || used.has(part.callId);
    const callId = taken ? `call_${newId().replaceAll("-", "").slice(0, 32)}` : part.callId;
    if (part.callId !== "" && here.has(part.callId)) repeatedIds.set(callId, part.callId);
    here.add(part.callId);
    used.add(callId);
    changed ||= taken;
    return taken ? { ...part, callId } : part;
  });
  return { message: changed ? { role: "assistant", parts } : message, repeatedIds };
}
