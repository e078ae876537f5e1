import type { EventOf } from "./events.ts";

/** Where a message of a request came from: the instructions, the memory, or the turn that is going on. */
export type MessageOrigin = "system" | "memory" | "turn";

type Request = Pick<EventOf<"model-request">, "messages" | "fromMemory" | "purpose">;

/**
 * The origin of each message of a request, in order. A request for a summary is about what the memory holds. Undefined for
 * requests of older runs, which do not say what the memory gave.
 */
export function messageOrigins({ messages, fromMemory, purpose }: Request): MessageOrigin[] | undefined {
  if (fromMemory === undefined) return undefined;
  let before = purpose === "summary" ? messages.length : fromMemory;
  return messages.map((message) => {
    if (message.role === "system") return "system";
    before -= 1;
    return before >= 0 ? "memory" : "turn";
  });
}
