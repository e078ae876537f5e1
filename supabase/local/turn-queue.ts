import { DatabaseUnavailable, type Unavailability } from "./database-client.ts";

interface Waiting {
  owner: object;
  since: number;
  start(): void;
  drop(reason: Unavailability): void;
}

/** One turn at a time. Parties take turns with each other, each in the order it asked, so that a burst of one waits for itself. */
export interface TurnQueue {
  /**
   * Runs `task` when its turn comes. `party` is whose turn it is; the owner where none is named. Rejects with
   * DatabaseUnavailable when it was dropped before it began.
   */
  take<Result>(owner: object, task: () => Promise<Result>, party?: unknown): Promise<Result>;
  /** Drops the waiting turns for which `which` holds. `waitedMs` is how long one waits already. */
  drop(reason: Unavailability, which: (turn: { owner: object; waitedMs: number }) => boolean): void;
  /** How many wait. */
  length(): number;
}

export function createTurnQueue(now: () => number = Date.now): TurnQueue {
  /** Those that wait, the party whose turn comes next first. */
  const parties = new Map<unknown, Waiting[]>();
  let busy = false;

  function next(): void {
    const [first] = parties;
    busy = first !== undefined;
    if (first === undefined) return;
    const [party, waiting] = first;
    const turn = waiting.shift();
    parties.delete(party);
    if (waiting.length > 0) parties.set(party, waiting);
    turn?.start();
  }

  return {
    take<Result>(owner: object, task: () => Promise<Result>, party: unknown = owner) {
      return new Promise<Result>((resolve, reject) => {
        const start = () => void task().then(resolve, reject).finally(next);
        const turn = {
          owner,
          since: now(),
          start,
          drop: (reason: Unavailability) => reject(new DatabaseUnavailable(reason)),
        };
        const waiting = parties.get(party);
        if (waiting) waiting.push(turn);
        else parties.set(party, [turn]);
        if (!busy) next();
      });
    },
    drop(reason, which) {
      const isDropped = ({ owner, since }: Waiting) => which({ owner, waitedMs: now() - since });
      for (const [party, waiting] of parties) {
        const dropped = waiting.filter(isDropped);
        const kept = waiting.filter((turn) => !dropped.includes(turn));
        if (kept.length > 0) parties.set(party, kept);
        else parties.delete(party);
        for (const turn of dropped) turn.drop(reason);
      }
    },
    length: () => [...parties.values()].reduce((sum, waiting) => sum + waiting.length, 0),
  };
}
