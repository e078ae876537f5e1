/** Calls back in a task of its own, soon; timers would wait four milliseconds, and longer in a hidden tab. */
export function nextTask(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener(
    "message",
    () => {
      port1.close();
      callback();
    },
    { once: true },
  );
  port1.start();
  port2.postMessage(null);
}
