import type { RunEvent } from "../../engine/run/events.ts";
import { WellFormedStream, wellFormed } from "../../engine/well-formed.ts";

/**
 * Brings the events of one run, taken in their order, into text that a database stores. A vendor may cut an answer in the
 * middle of a character: the pieces of one stream are joined there, so that the character is kept.
 */
export class StorableEvents {
  private readonly streams = new Map<string, WellFormedStream>();

  /** The event itself when nothing is to be changed. */
  take(event: RunEvent): RunEvent {
    if (event.type === "model-response") {
      this.streams.delete(`text-delta ${event.callId}`);
      this.streams.delete(`reasoning-delta ${event.callId}`);
    }
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") return wellFormed(event);
    const name = `${event.type} ${event.callId}`;
    const stream = this.streams.get(name) ?? new WellFormedStream();
    this.streams.set(name, stream);
    const text = stream.next(event.text);
    return wellFormed(text === event.text ? event : { ...event, text });
  }
}
