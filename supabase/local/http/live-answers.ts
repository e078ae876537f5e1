import { type LiveNews, UnstoredTexts } from "../../../src/doors/live-news.ts";

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

/** Lines that a reader may be behind. */
const mostBehind = 10_000;

const changedLine = new TextEncoder().encode("changed\n");
/** Headers go out with the first bytes. */
const emptyLine = new TextEncoder().encode("\n");

type Reader = ReadableStreamDefaultController<Uint8Array>;

export function createLiveAnswers(): LiveAnswers {
  const readers = new Map<string, Set<Reader>>();
  const watchers = new Map<string, Set<Reader>>();
  const spoken = new Map<string, UnstoredTexts>();
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

  return {
    tell(runId, news) {
      const texts = spoken.get(runId) ?? new UnstoredTexts();
      texts.take(news);
      spoken.set(runId, texts);
      if (news.kind === "stored") sayChanged(runId);
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
          for (const news of spoken.get(runId)?.all() ?? []) {
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
