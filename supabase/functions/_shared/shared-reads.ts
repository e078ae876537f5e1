/**
 * Reads for all who ask for the same thing at once: whoever asks gets what a read gives that began after that, so nobody hears
 * what was true before. One read of a thing is under way at a time, and with `pauseMs` none begins sooner than that after the last.
 */
export function createSharedReads<Value>(pauseMs = 0): (name: string, read: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<Value>>();

  function begin(name: string, read: () => Promise<Value>): Promise<Value> {
    next.delete(name);
    const reading = read();
    const rest = pauseMs > 0 ? [new Promise((resolve) => setTimeout(resolve, pauseMs))] : [];
    const over = Promise.allSettled([reading, ...rest]).then(() => {
      if (underWay.get(name) === over) underWay.delete(name);
    });
    underWay.set(name, over);
    return reading;
  }

  return (name, read) => {
    const waiting = next.get(name);
    if (waiting) return waiting;
    const current = underWay.get(name);
    if (!current) return begin(name, read);
    const shared = current.then(() => begin(name, read));
    next.set(name, shared);
    return shared;
  };
}
