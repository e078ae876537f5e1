import { settleOrAbort } from "../../../engine/time/deadline.ts";
import { type ReleaseLock, takeIngestLock } from "../ingest-lock.ts";

/**
 * What the jobs of this page work on, so that no two, here or in another tab, work on one document or source: each would
 * embed and store all of its chunks.
 */
export interface WorkClaims {
  /** Claims it for a job. False where another job has it, here or in another tab. */
  take(jobId: string, id: string): Promise<boolean>;
  /** Claims it once whoever has it is done. Rejects with the signal's reason. */
  takeInTurn(jobId: string, id: string, signal: AbortSignal): Promise<void>;
  /** The job of this page that has it. */
  holder(id: string): string | undefined;
  /** Lets go of all that a job has. */
  release(jobId: string): void;
}

interface Claim {
  jobId: string;
  /** Undefined where another tab has it. Rejects with the signal's reason. */
  lock: Promise<ReleaseLock | undefined>;
  /** Resolves once it can be claimed again. */
  freed: Promise<void>;
  free(): void;
  released: boolean;
}

export function createWorkClaims(): WorkClaims {
  const claims = new Map<string, Claim>();

  function claim(jobId: string, id: string, signal?: AbortSignal): Claim {
    let free = () => {};
    const freed = new Promise<void>((resolve) => (free = resolve));
    const made = { jobId, lock: takeIngestLock(id, signal), freed, free, released: false };
    claims.set(id, made);
    return made;
  }

  async function end(id: string, given: Claim): Promise<void> {
    given.released = true;
    await (
      await given.lock.catch(() => undefined)
    )?.();
    claims.delete(id);
    given.free();
  }

  return {
    async take(jobId, id) {
      let found = claims.get(id);
      while (found?.released) {
        await found.freed;
        found = claims.get(id);
      }
      if (found && found.jobId !== jobId) return false;
      const mine = found ?? claim(jobId, id);
      if ((await mine.lock) !== undefined) return !mine.released;
      await end(id, mine);
      return false;
    },

    async takeInTurn(jobId, id, signal) {
      for (let found = claims.get(id); found; found = claims.get(id)) {
        if (found.jobId === jobId && !found.released) return;
        await settleOrAbort(found.freed, signal);
        signal.throwIfAborted();
      }
      const mine = claim(jobId, id, signal);
      try {
        await mine.lock;
      } catch (error) {
        await end(id, mine);
        throw error;
      }
    },

    holder: (id) => claims.get(id)?.jobId,

    release(jobId) {
      for (const [id, found] of claims) {
        if (found.jobId === jobId && !found.released) void end(id, found);
      }
    },
  };
}
