import type { ToolCallContext } from "../../../engine/tool/tool.ts";
import type { Host } from "../../../engine/host.ts";

type Call = Pick<ToolCallContext, "ask" | "pausedWhile">;

/** Milliseconds that a call waits for the news to open; some servers say nothing before there is something to say. */
export const longestOpening = 1_000;

/** A question of which nothing says what call it belongs to. */
interface Unclear {
  belongsTo(call: Call | undefined): void;
}

/**
 * The calls of one session that are under way. What a server asks comes on the stream of its call, or on the session's stream
 * of news, where nothing says which call it belongs to.
 */
export class CallsUnderWay {
  private readonly calls = new Map<string, Call>();
  private readonly unclear = new Set<Unclear>();
  private begun = 0;
  private end = new AbortController();
  private news: "closed" | "open" | "refused" = "closed";

  /** Whether any call is under way. */
  get isAny(): boolean {
    return this.calls.size > 0;
  }

  /**
   * The call that a question belongs to: the one on whose stream it came, or the only one that is under way, since a question of
   * one call must not be asked for another. Where several are, it waits until the others have ended; where each of them seems to
   * wait for an answer, the newest question belongs to none.
   */
  ownerOf(call: string | undefined, signal: AbortSignal): Promise<Call | undefined> {
    const known = call === undefined ? undefined : this.calls.get(call);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const question: Unclear = {
        belongsTo: (owner) => {
          this.unclear.delete(question);
          resolve(owner);
        },
      };
      this.unclear.add(question);
      signal.addEventListener("abort", () => question.belongsTo(undefined), { once: true });
      this.clear();
    });
  }

  private clear(): void {
    const [only] = this.calls.values();
    const newest = [...this.unclear].at(-1);
    if (this.calls.size <= 1) for (const question of this.unclear) question.belongsTo(only);
    else if (this.unclear.size >= this.calls.size) newest?.belongsTo(undefined);
  }

  /** Ends with the last call: every stream of the session is for calls alone. */
  get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Counts a call, under a name of its own; `end` ends it. */
  begin(call: Call): { name: string; end(): void } {
    if (this.calls.size === 0) this.end = new AbortController();
    this.begun += 1;
    const name = String(this.begun);
    this.calls.set(name, call);
    return {
      name,
      end: () => {
        this.calls.delete(name);
        this.clear();
        if (this.calls.size > 0) return;
        this.end.abort(new Error("The call has ended."));
        this.closeNews();
      },
    };
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
