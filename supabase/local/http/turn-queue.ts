import { DatabaseUnavailable, type Unavailability } from "../database/database-client.ts";

interface Waiting {
  owner: object;
  member: unknown;
  /** Of its party's rounds, in each of which every member has one turn. */
  round: number;
  since: number;
  start(): void;
  drop(reason: Unavailability): void;
}

/**
 * Turns at the database: by default one at a time. Parties take turns with each other, each in the order it asked, so that a
 * burst of one waits for itself. So do the members of a party within its turns.
 */
export interface TurnQueue {
  /**
   * Runs `task` when its turn comes. `party` is whose turn it is, the owner where none is named; `member` is who of it. Rejects with
   * DatabaseUnavailable when it was dropped before it began.
   */
  take<Result>(owner: object, task: () => Promise<Result>, party?: unknown, member?: unknown): Promise<Result>;
  /** Drops the waiting turns for which `which` holds. `waitedMs` is how long one waits already. */
  drop(reason: Unavailability, which: (turn: { owner: object; waitedMs: number }) => boolean): void;
  /** How many wait, of all parties or of one. */
  length(party?: unknown): number;
  /** How many turns have ended, how long they took together, and how long those that began had waited for that. */
  work(): { turns: number; ms: number; waitedMs: number };
}

/** `all`: how many turns there are at once; `ofOne`: how many of them one party may have. */
export function createTurnQueue({ all = 1, ofOne = 1, now = Date.now } = {}): TurnQueue {
  /** Those that wait, the party whose turn comes next first. */
  const parties = new Map<unknown, Waiting[]>();
  const running = new Map<unknown, number>();
  const work = { turns: 0, ms: 0, waitedMs: 0 };
  let busy = 0;

  function next(): void {
    for (const [party, waiting] of parties) {
      if (busy >= all) return;
      const own = running.get(party) ?? 0;
      if (own >= ofOne) continue;
      const turn = waiting.shift();
      parties.delete(party);
      if (waiting.length > 0) parties.set(party, waiting);
      running.set(party, own + 1);
      busy += 1;
      turn?.start();
    }
  }

  function end(party: unknown): void {
    const left = (running.get(party) ?? 1) - 1;
    if (left > 0) running.set(party, left);
    else running.delete(party);
    busy -= 1;
    next();
  }

  return {
    take<Result>(owner: object, task: () => Promise<Result>, party: unknown = owner, member?: unknown) {
      return new Promise<Result>((resolve, reject) => {
        const asked = performance.now();
        const start = () => {
          const began = performance.now();
          work.waitedMs += began - asked;
          void task()
            .then(resolve, reject)
            .finally(() => {
              work.turns += 1;
              work.ms += performance.now() - began;
              end(party);
            });
        };
        const waiting = parties.get(party) ?? [];
        const turn = {
          owner,
          member,
          round: nextRound(waiting, member),
          since: now(),
          start,
          drop: (reason: Unavailability) => reject(new DatabaseUnavailable(reason)),
        };
        const later = waiting.findIndex(({ round }) => round > turn.round);
        waiting.splice(later < 0 ? waiting.length : later, 0, turn);
        parties.set(party, waiting);
        next();
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
    work: () => ({ ...work }),
    length(party) {
      if (party !== undefined) return parties.get(party)?.length ?? 0;
      return [...parties.values()].reduce((sum, waiting) => sum + waiting.length, 0);
    },
  };
}

/** The round after a member's last waiting turn, or the one that is on now. */
function nextRound(waiting: readonly Waiting[], member: unknown): number {
  const last = waiting.findLast((turn) => turn.member === member);
  return last ? last.round + 1 : (waiting[0]?.round ?? 0);
}
