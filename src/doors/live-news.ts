import type { ModelPurpose, RunEvent } from "../engine/run/events.ts";

/** What a worker tells of a run before it is stored, for whoever waits for the answer. The stored log remains the truth. */
export type LiveNews =
  | {
      kind: "text";
      nodeId: string;
      callId: string;
      purpose: ModelPurpose;
      /** Place of the call's `model-request` in the run's log. */
      request: number;
      /** Characters of the call's text before this piece. */
      at: number;
      text: string;
    }
  /** The log or the status of the run has changed. */
  | { kind: "stored" };

export type LiveText = Extract<LiveNews, { kind: "text" }>;

/** Makes live text of a run's events, in order: what the agents of the workflow itself say, without nested runs. */
export class LiveTexts {
  private readonly calls = new Map<string, Omit<LiveText, "text">>();

  take(event: RunEvent): LiveText | null {
    if (event.parentCallId !== undefined) return null;
    const { type } = event;
    if (type === "model-request") {
      const { nodeId, callId, purpose, seq } = event;
      this.calls.set(callId, { kind: "text", nodeId, callId, purpose, request: seq, at: 0 });
    }
    if (type === "model-response") this.calls.delete(event.callId);
    if (type !== "text-delta") return null;
    const call = this.calls.get(event.callId);
    if (call === undefined) return null;
    const news = { ...call, text: event.text };
    call.at += event.text.length;
    return news;
  }
}

/** Characters of one call's text that are kept for readers who come later; they read longer ones from the log. */
const maxKept = 256 * 1024;

/** What the calls of a run have said that is not stored yet, for whoever begins to listen in the middle. */
export class UnstoredTexts {
  private readonly calls = new Map<string, LiveText>();

  take(news: LiveNews): void {
    // What was said is in the log now, or will be with the next change.
    if (news.kind === "stored") return this.calls.clear();
    const before = this.calls.get(news.callId);
    // A call that is made again begins anew.
    const said = before !== undefined && news.at > 0 ? { ...before, text: before.text + news.text } : news;
    if (said.text.length <= maxKept) this.calls.set(news.callId, said);
    else this.calls.delete(news.callId);
  }

  all(): LiveText[] {
    return [...this.calls.values()];
  }
}
