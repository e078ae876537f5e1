import { readSessionName } from "../../engine/memory/memory.ts";
import type { EventOf } from "../../engine/run/events.ts";

const verbs = { "memory-load": "Read", "memory-save": "Saved" } as const;

/** What was read or saved: a conversation's messages, or what is kept beside them. */
export function memoryText(event: EventOf<"memory-load"> | EventOf<"memory-save">): string {
  const { side } = readSessionName(event.session);
  const messages = `${event.messages} ${event.messages === 1 ? "message" : "messages"}`;
  const words = `${verbs[event.type]} ${side === null ? messages : `the ${side}`}`;
  return event.type === "memory-save" && event.scratch ? `${words} for this run only` : words;
}
