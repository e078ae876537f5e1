import type { IncomingMessage } from "node:http";

/** How much of a refused body is read at most, and for how long: in all, and without a byte. */
const limits = { bytes: 256 * 1024 * 1024, totalMs: 30_000, silentMs: 5_000 };

/** Reads the rest of a body that nobody wants and drops it, until it has come, its sender is gone, or a limit is reached. */
export function dropRest(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return Promise.resolve();
  // Whoever has begun to read it would gather it, and pause it once that is much.
  incoming.removeAllListeners("data");
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      silent.refresh();
      if (bytes > limits.bytes) end();
    };
    const end = (): void => {
      clearTimeout(silent);
      clearTimeout(late);
      incoming.off("data", count).off("end", end).off("close", end);
      resolve();
    };
    const silent = setTimeout(end, limits.silentMs);
    const late = setTimeout(end, limits.totalMs);
    incoming.on("data", count).on("end", end).on("close", end).resume();
  });
}
