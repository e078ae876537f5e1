/** Milliseconds of work after which input and drawing get their turn. */
const sliceMs = 12;

/** Makes a function that, awaited often within long work, pauses it every few milliseconds, so that the page answers. */
export function letPageBreathe(): () => Promise<void> {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < sliceMs) return;
    // A message channel's turn comes at once; a timer's is put off in background tabs, which would stall an ingest.
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(null);
    });
    started = performance.now();
  };
}
