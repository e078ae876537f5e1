import type { LiveNews } from "../../../src/engine/doors/live-news.ts";
import type { SupabaseClient } from "./supabase-client.ts";

/** What the worker of a run tells, one after the other. */
export interface LiveNewsReader {
  /** Whether somebody tells it. */
  readonly isOpen: boolean;
  /** The next news; null when none came within `milliseconds`, when it has ended, or when the signal aborts. */
  next(milliseconds: number): Promise<LiveNews | null>;
}

/** Lines from the installation's own gateway. */
function parseLine(line: string): LiveNews {
  return JSON.parse(line) as LiveNews;
}

/** Opens what a run's worker tells. It is closed by the signal. Where nothing is told, `next` only lets time pass. */
export function openLiveNews(supabase: SupabaseClient, runId: string, signal: AbortSignal): LiveNewsReader {
  const waiting: LiveNews[] = [];
  let isOpen = false;
  let wake: () => void = () => {};
  signal.addEventListener("abort", () => wake(), { once: true });

  async function read(): Promise<void> {
    const lines = await supabase.openLiveAnswer(runId, signal);
    if (lines === null) return;
    isOpen = true;
    let rest = "";
    for await (const piece of lines.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
      const parts = (rest + piece).split("\n");
      rest = parts.pop() ?? "";
      waiting.push(...parts.filter((line) => line !== "").map(parseLine));
      if (waiting.length > 0) wake();
    }
  }
  // The log has everything; it only comes later.
  void read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
      wake();
    });

  return {
    get isOpen() {
      return isOpen;
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
