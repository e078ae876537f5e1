import type { LiveText } from "../../../src/doors/live-news.ts";
import type { ModelPurpose, RunEvent } from "../../../src/engine/run/events.ts";

/** A piece of what a model says in a run, said for the first time. */
export interface Spoken {
  nodeId: string;
  callId: string;
  purpose: ModelPurpose;
  /** Place of the call in the run's log. */
  request: number;
  /** Characters of the call's text up to the end of this piece. */
  upTo: number;
  text: string;
}

interface Call {
  purpose: ModelPurpose;
  request: number;
  stored: number;
  shown: number;
}

/** Puts together what comes live and what is stored: each character once, in order, whichever comes first. */
export class SpokenText {
  private readonly calls = new Map<string, Call>();

  /** The new part of an event of the log, if it is text of the workflow's own agents. */
  stored(event: RunEvent): Spoken | null {
    if (event.parentCallId !== undefined) return null;
    if (event.type === "model-request") {
      const { purpose, seq } = event;
      this.call(event.callId, purpose, seq);
    }
    if (event.type !== "text-delta") return null;
    const call = this.call(event.callId, "answer", event.seq);
    const at = call.stored;
    call.stored += event.text.length;
    return this.show(call, event, at);
  }

  live(news: LiveText): Spoken | null {
    return this.show(this.call(news.callId, news.purpose, news.request), news, news.at);
  }

  private call(callId: string, purpose: ModelPurpose, request: number): Call {
    const known = this.calls.get(callId) ?? { purpose, request, stored: 0, shown: 0 };
    this.calls.set(callId, known);
    return known;
  }

  /** What lies behind a gap waits for the log. */
  private show(call: Call, said: { nodeId: string; callId: string; text: string }, at: number): Spoken | null {
    const text = at > call.shown ? "" : said.text.slice(call.shown - at);
    if (text === "") return null;
    call.shown += text.length;
    const { nodeId, callId } = said;
    return { nodeId, callId, purpose: call.purpose, request: call.request, upTo: call.shown, text };
  }
}
