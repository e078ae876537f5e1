import type { Host } from "../host.ts";

/** A `sleep` by the machine's clock, for tests with parts that a virtual clock cannot hurry. */
export const realSleep: Host["sleep"] = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = globalThis.setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        globalThis.clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
