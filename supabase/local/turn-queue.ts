import { DatabaseUnavailable, type Unavailability } from "./database-client.ts";

interface Waiting {
  owner: object;
  since: number;
  start(): void;
  drop(reason: Unavailability): void;
}

/** One turn at a time, in the order they were asked for. */
export interface TurnQueue {
  /** Runs `task` when all turns before it are over. Rejects with DatabaseUnavailable when it was dropped before it began. */
  take<Result>(owner: object, task: () => Promise<Result>): Promise<Result>;
  /** Drops the waiting turns for which `which` holds. `waitedMs` is how long one waits already. */
  drop(reason: Unavailability, which: (turn: { owner: object; waitedMs: number }) => boolean): void;
  /** How many wait. */
  length(): number;
}

export function createTurnQueue(now: () => number = Date.now): TurnQueue {
  let waiting: Waiting[] = [];
  let busy = false;

  function next(): void {
    const turn = waiting.shift();
    busy = turn !== undefined;
    turn?.start();
  }

  return {
    take<Result>(owner: object, task: () => Promise<Result>) {
      return new Promise<Result>((resolve, reject) => {
        const start = () => void task().then(resolve, reject).finally(next);
        waiting.push({ owner, since: now(), start, drop: (reason) => reject(new DatabaseUnavailable(reason)) });
        if (!busy) next();
      });
    },
    drop(reason, which) {
      const isDropped = ({ owner, since }: Waiting) => which({ owner, waitedMs: now() - since });
      const dropped = waiting.filter(isDropped);
      if (dropped.length === 0) return;
      waiting = waiting.filter((turn) => !dropped.includes(turn));
      for (const turn of dropped) turn.drop(reason);
    },
    length: () => waiting.length,
  };
}
