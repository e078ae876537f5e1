import type { EventOf } from "../../engine/run/events.ts";

/** What an agent does before its request would get too long. */
export function compactionText({ messages }: Pick<EventOf<"compaction">, "messages">): string {
  return messages === 1 ? "Summarizes the oldest message" : `Summarizes the oldest ${messages} messages`;
}
