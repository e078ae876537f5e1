interface Sleeper {
  wakesAt: number;
  wake(): void;
}

/** Time that passes only while nothing else can: see `virtualClock`. */
export interface VirtualClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves once virtual time has passed by `ms`; rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Every wait that was asked for, in order, in milliseconds. */
  slept: number[];
}

/** Lets every pending promise callback run first; a message channel, since engine code has no timers. */
function afterPendingWork(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.addEventListener("message", () => {
      channel.port1.close();
      resolve();
    });
    channel.port1.start();
    channel.port2.postMessage(null);
  });
}

/**
 * A clock for tests that wait on promises alone: as soon as nothing is left to do, time jumps to the earliest sleeper.
 * A five-minute limit therefore passes at once when the code under test hangs, and never when it goes on. Not for tests
 * with real network or timers: there the clock would run ahead of them.
 */
export function virtualClock(startsAt = Date.UTC(2026, 0, 1)): VirtualClock {
  const sleepers = new Set<Sleeper>();
  const slept: number[] = [];
  let time = startsAt;
  let pumping = false;

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    while (sleepers.size > 0) {
      await afterPendingWork();
      let next: Sleeper | undefined;
      for (const sleeper of sleepers) if (!next || sleeper.wakesAt < next.wakesAt) next = sleeper;
      if (!next) break;
      time = Math.max(time, next.wakesAt);
      sleepers.delete(next);
      next.wake();
    }
    pumping = false;
  }

  return {
    now: () => time,
    slept,
    sleep(ms, signal) {
      slept.push(ms);
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        };
        const sleeper: Sleeper = {
          wakesAt: time + ms,
          wake() {
            signal.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        signal.addEventListener("abort", onAbort, { once: true });
        sleepers.add(sleeper);
        void pump();
      });
    },
  };
}
