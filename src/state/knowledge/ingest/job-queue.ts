/** Runs work in the order in which it was added, a few at a time. */
interface JobQueue {
  /** `work` must not reject. Adding an id anew, while its earlier work is being stopped, waits for that to end. */
  add(id: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts the work's signal, or takes it out of the queue. */
  stop(id: string): void;
  isRunning(id: string): boolean;
  stopAll(): void;
}

interface Entry {
  id: string;
  work: (signal: AbortSignal) => Promise<void>;
}

export function createJobQueue(atOnce: number): JobQueue {
  let waiting: Entry[] = [];
  const running = new Map<string, AbortController>();

  function next(): void {
    while (running.size < atOnce) {
      const entry = waiting.find(({ id }) => !running.has(id));
      if (!entry) return;
      waiting = waiting.filter((one) => one !== entry);
      const controller = new AbortController();
      running.set(entry.id, controller);
      void entry.work(controller.signal).finally(() => {
        running.delete(entry.id);
        next();
      });
    }
  }

  function stop(id: string): void {
    waiting = waiting.filter((entry) => entry.id !== id);
    running.get(id)?.abort(new DOMException("The ingest was stopped.", "AbortError"));
  }

  return {
    add(id, work) {
      waiting.push({ id, work });
      next();
    },
    stop,
    isRunning: (id) => running.has(id),
    stopAll() {
      for (const id of [...waiting.map((entry) => entry.id), ...running.keys()]) stop(id);
    },
  };
}
