import type { ToolCallContext } from "../../../engine/tool/tool.ts";
import type { Host } from "../../../engine/host.ts";

type Call = Pick<ToolCallContext, "ask" | "pausedWhile">;

/** Milliseconds that a call waits for the news to open; some servers say nothing before there is something to say. */
export const longestOpening = 1_000;

/**
 * The calls of one session that are under way. What a server asks comes on the stream of its call or on the session's stream
 * of news, and does not say which call it belongs to.
 */
export class CallsUnderWay {
  private readonly calls = new Set<Call>();
  private end = new AbortController();
  private news: "closed" | "open" | "refused" = "closed";

  /** Whether any call is under way. */
  get isAny(): boolean {
    return this.calls.size > 0;
  }

  /** The call that a question belongs to: the only one that is under way, since a question of one call must not be asked for another. */
  get only(): Call | undefined {
    return this.calls.size === 1 ? this.calls.values().next().value : undefined;
  }

  /** Ends with the last call: every stream of the session is for calls alone. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Counts a call; what is returned ends it. */
  begin(call: Call): () => void {
    if (this.calls.size === 0) this.end = new AbortController();
    this.calls.add(call);
    return () => {
      this.calls.delete(call);
      if (this.calls.size > 0) return;
      this.end.abort(new Error("The call has ended."));
      this.closeNews();
    };
  }

  /** Stops the clocks of all calls while `wait` asks a person: any of them may be the one that asks. */
  pausedWhile<Value>(wait: () => Promise<Value>): Promise<Value> {
    const paused = [...this.calls].reduce((inner, call) => () => call.pausedWhile(inner), wait);
    return paused();
  }

  /** Opens the stream of news for as long as calls are under way, where the server has one. Never rejects. */
  async openNews(host: Pick<Host, "sleep">, resume: (from: string) => Promise<void>): Promise<void> {
    if (this.news !== "closed") return;
    this.news = "open";
    const enough = new AbortController();
    const slow = host.sleep(longestOpening, enough.signal).catch(() => undefined);
    // Without a place to go on from, the transport asks for what comes from now on.
    await Promise.race([resume("").catch(() => undefined), slow]);
    enough.abort(new Error("The news are open."));
  }

  /** The next call asks for the news again. */
  closeNews(): void {
    if (this.news === "open") this.news = "closed";
  }

  /** The server has no stream of news and is not asked again. */
  refuseNews(): void {
    this.news = "refused";
  }
}
