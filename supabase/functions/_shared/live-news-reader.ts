import { type LiveNews, UnstoredTexts } from "../../../src/doors/live-news.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** What the worker of a run tells, one after the other. */
export interface LiveNewsReader {
  /** Whether somebody tells it. */
  readonly isOpen: boolean;
  /** The next news; null when none came within `milliseconds`, when it has ended, or when the signal aborts. */
  next(milliseconds: number): Promise<LiveNews | null>;
}

/** The connection on which a run's news come, and those who follow it. */
interface LiveConnection {
  isOpen: boolean;
  readonly texts: UnstoredTexts;
  readonly followers: Set<(news: LiveNews | null) => void>;
  close(): void;
}

/** All followers of a run in this process share one. */
const connections = new Map<string, LiveConnection>();

/** News that a follower may be behind; then it reads the log. */
const maxBehind = 1_000;

/** Lines from the installation's own gateway. */
function parseLine(line: string): LiveNews {
  return JSON.parse(line) as LiveNews;
}

function connect(supabase: SupabaseClient, runId: string): LiveConnection {
  const control = new AbortController();
  const followers: LiveConnection["followers"] = new Set();
  const connection: LiveConnection = { isOpen: false, texts: new UnstoredTexts(), followers, close };
  connections.set(runId, connection);

  function close(): void {
    connection.isOpen = false;
    if (connections.get(runId) === connection) connections.delete(runId);
    control.abort();
    for (const tell of followers) tell(null);
  }

  async function read(): Promise<void> {
    const lines = await supabase.openLiveAnswer(runId, control.signal);
    if (lines === null) return;
    connection.isOpen = true;
    let rest = "";
    for await (const piece of lines.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
      const parts = (rest + piece).split("\n");
      rest = parts.pop() ?? "";
      for (const news of parts.filter((line) => line !== "").map(parseLine)) {
        connection.texts.take(news);
        for (const tell of followers) tell(news);
      }
    }
  }
  // The log has everything; it only comes later.
  void read()
    .catch(() => undefined)
    .finally(close);
  return connection;
}

/**
 * Follows what a run's worker tells, until the signal aborts. The first follower of a run opens the connection, the last one
 * closes it. Where nothing is told, `next` only lets time pass.
 */
export function openLiveNews(supabase: SupabaseClient, runId: string, signal: AbortSignal): LiveNewsReader {
  const connection = connections.get(runId) ?? connect(supabase, runId);
  const { followers } = connection;
  const waiting: LiveNews[] = connection.texts.all();
  let wake: () => void = () => {};

  const tell = (news: LiveNews | null): void => {
    if (waiting.length >= maxBehind) waiting.splice(0, waiting.length, { kind: "stored" });
    else if (news !== null) waiting.push(news);
    wake();
  };
  followers.add(tell);
  const leave = (): void => {
    followers.delete(tell);
    if (followers.size === 0) connection.close();
    wake();
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });

  return {
    get isOpen() {
      return connection.isOpen;
    },
    async next(milliseconds) {
      if (waiting.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return waiting.shift() ?? null;
    },
  };
}
