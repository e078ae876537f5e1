import type { Host } from "../host.ts";

/** Milliseconds that running nodes have to end after Stop. */
const abortGraceMs = 3_000;

/** After an abort, nodes get a moment to close what they have open; then `giveUp` ends the flow without them. */
export async function whenLate(host: Pick<Host, "sleep">, done: Promise<unknown>, giveUp: () => void): Promise<void> {
  const stopped = new AbortController();
  void done.then(() => stopped.abort());
  await Promise.resolve();
  try {
    await host.sleep(abortGraceMs, stopped.signal);
  } catch {
    return;
  }
  giveUp();
}
