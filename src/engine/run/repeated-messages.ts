import type { EventOf, RunEvent } from "./events.ts";

type Request = EventOf<"model-request">;

/** What a request says that another one after it may say again. */
interface Said {
  seq: number;
  /** Each message as JSON. */
  messages: string[];
  tools: string;
}

/**
 * Every model call repeats its whole conversation, so that stored requests would grow with the square of its length. Takes
 * the events of one run in their order and leaves out of a request what the one before it, of the same agent in the same
 * place, began with; `repeats` says what that was.
 */
export class RepetitionPacker {
  private readonly latest = new Map<string, Said>();

  /** The event itself when it repeats nothing. */
  pack(event: RunEvent): RunEvent {
    if (event.type !== "model-request") return event;
    const place = placeOf(event);
    const before = this.latest.get(place);
    const messages = event.messages.map((message) => JSON.stringify(message));
    const tools = JSON.stringify(event.tools);
    this.latest.set(place, { seq: event.seq, messages, tools });
    if (!before) return event;
    const different = messages.findIndex((message, index) => message !== before.messages[index]);
    const count = different === -1 ? messages.length : different;
    const sameTools = event.tools.length > 0 && tools === before.tools;
    if (count === 0 && !sameTools) return event;
    return {
      ...event,
      messages: event.messages.slice(count),
      tools: sameTools ? [] : event.tools,
      repeats: { seq: before.seq, messages: count, tools: sameTools },
    };
  }
}

/** Brings what a RepetitionPacker made back to what it was; takes the events in their order. */
export class RepetitionUnpacker {
  private readonly whole = new Map<number, Request>();

  unpack(event: RunEvent): RunEvent {
    if (event.type !== "model-request") return event;
    const { repeats, ...rest } = event;
    const before = repeats && this.whole.get(repeats.seq);
    const request: Request = before
      ? {
          ...rest,
          messages: [...before.messages.slice(0, repeats.messages), ...event.messages],
          tools: repeats.tools ? before.tools : event.tools,
        }
      : event;
    this.whole.set(event.seq, request);
    return request;
  }
}

function placeOf({ nodeId, modelNodeId, parentCallId, item, outerItems }: Request): string {
  return JSON.stringify([nodeId, modelNodeId, parentCallId ?? null, item ?? null, outerItems ?? null]);
}
