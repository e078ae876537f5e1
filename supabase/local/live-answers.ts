import type { LiveNews, LiveText } from "../../src/engine/doors/live-news.ts";

/** What workers tell of their runs, passed on at once to those who wait for an answer. Nothing of it is kept for long. */
export interface LiveAnswers {
  tell(runId: string, news: LiveNews): void;
  /** The run has left its worker. */
  forget(runId: string): void;
  /** News of a run, one line of JSON each, from the beginning of what its model says now. It ends when its reader goes. */
  follow(runId: string): ReadableStream<Uint8Array>;
  /** A line for each change of a run's log, without what it is. It ends when its reader goes. */
  changes(runId: string): ReadableStream<Uint8Array>;
}

/** Characters of one call's text that are kept for readers who come later; they read longer ones from the log. */
const mostKept = 256 * 1024;
/** Lines that a reader may be behind. */
const mostBehind = 10_000;

const changedLine = new TextEncoder().encode("changed\n");
/** Headers go out with the first bytes. */
const emptyLine = new TextEncoder().encode("\n");

type Reader = ReadableStreamDefaultController<Uint8Array>;

export function createLiveAnswers(): LiveAnswers {
  const readers = new Map<string, Set<Reader>>();
  const watchers = new Map<string, Set<Reader>>();
  const spoken = new Map<string, Map<string, LiveText>>();
  const encoder = new TextEncoder();

  function join(runId: string, reader: Reader, all = readers): void {
    all.set(runId, (all.get(runId) ?? new Set()).add(reader));
  }

  function drop(runId: string, reader: Reader, all = readers): void {
    const ofRun = all.get(runId);
    ofRun?.delete(reader);
    if (ofRun?.size === 0) all.delete(runId);
  }

  function sayChanged(runId: string): void {
    for (const watcher of watchers.get(runId) ?? []) {
      // One that has not read the last line yet will look at all that is new.
      if ((watcher.desiredSize ?? 0) > 0) watcher.enqueue(changedLine);
    }
  }

  function send(runId: string, line: string): void {
    const bytes = encoder.encode(`${line}\n`);
    for (const reader of readers.get(runId) ?? []) {
      if ((reader.desiredSize ?? 0) > -mostBehind) reader.enqueue(bytes);
      else {
        drop(runId, reader);
        reader.close();
      }
    }
  }

  function keep(runId: string, news: LiveText): void {
    const calls = spoken.get(runId) ?? new Map<string, LiveText>();
    spoken.set(runId, calls);
    const before = calls.get(news.callId);
    // A call that is made again begins anew.
    const whole = before !== undefined && news.at > 0 ? { ...before, text: before.text + news.text } : news;
    if (whole.text.length <= mostKept) calls.set(news.callId, whole);
    else calls.delete(news.callId);
  }

  return {
    tell(runId, news) {
      if (news.kind === "text") keep(runId, news);
      // What was said is in the log now, or will be with the next change.
      else {
        spoken.get(runId)?.clear();
        sayChanged(runId);
      }
      send(runId, JSON.stringify(news));
    },
    forget(runId) {
      spoken.delete(runId);
      sayChanged(runId);
      send(runId, JSON.stringify({ kind: "stored" } satisfies LiveNews));
    },
    follow(runId) {
      let own: Reader;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller;
          join(runId, controller);
          for (const news of spoken.get(runId)?.values() ?? []) {
            controller.enqueue(encoder.encode(`${JSON.stringify(news)}\n`));
          }
          controller.enqueue(emptyLine);
        },
        cancel() {
          drop(runId, own);
        },
      });
    },
    changes(runId) {
      let own: Reader;
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            own = controller;
            join(runId, controller, watchers);
            controller.enqueue(emptyLine);
          },
          cancel() {
            drop(runId, own, watchers);
          },
        },
        { highWaterMark: 2 },
      );
    },
  };
}
