import type { ModelEvent } from "../../engine/model/chat-model.ts";
import { ServerSentEvents } from "./server-sent-events.ts";

/** How one streamed answer becomes model events; both may throw. */
interface StreamTranslation {
  /** The data of one server-sent event. */
  take(data: string): readonly ModelEvent[];
  /** The answer has ended, and `saidDone` where the vendor said so; `stray` is what it held outside of events. */
  end(stray: string, saidDone: boolean): readonly ModelEvent[];
}

/**
 * The model events of a streamed answer, each as soon as its bytes are there. What came before a piece that cannot be
 * translated is given first. Leaving early lets go of the connection.
 */
export function translateEvents(response: Response, translation: StreamTranslation): AsyncIterableIterator<ModelEvent> {
  const sent = new ServerSentEvents(response);
  let texts: readonly string[] = [];
  let nextText = 0;
  let events: readonly ModelEvent[] = [];
  let nextEvent = 0;
  /** The vendor has said that nothing follows; the connection may stay open. */
  let done = false;
  let ended = false;

  /** Who is told by a rejection that it is over does not call `return`. */
  function taken(text: string): readonly ModelEvent[] {
    done ||= text.startsWith("[DONE]");
    if (done) return [];
    try {
      return translation.take(text);
    } catch (error) {
      ended = true;
      void sent.cancel().catch(() => undefined);
      throw error;
    }
  }

  const iterator: AsyncIterableIterator<ModelEvent> = {
    async next() {
      for (;;) {
        const event = events[nextEvent];
        if (event) {
          nextEvent += 1;
          return { value: event, done: false };
        }
        if (ended) return { value: undefined, done: true };
        nextEvent = 0;
        const text = texts[nextText];
        if (text !== undefined) {
          nextText += 1;
          events = taken(text);
          continue;
        }
        nextText = 0;
        const arrived = await sent.next();
        texts = arrived ?? [];
        ended = arrived === undefined;
        events = ended ? translation.end(sent.outside(), done) : [];
      }
    },
    async return() {
      ended = true;
      events = [];
      await sent.cancel();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
