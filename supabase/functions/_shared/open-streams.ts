import { DoorProblem, problems } from "./door-problem.ts";

/** Whom a stream is for, and of which run: ids, each where it is known. */
export type StreamOf = Partial<Record<keyof typeof maxOpen, string>>;

/**
 * How many may be open in one process: answers that a key or a visitor follows, and followers of one run. Waiting for a run's
 * end is following it, too.
 */
const maxOpen = { key: 200, visitor: 10, run: 20 };

const details = {
  key: "Too many answers are followed with this API key at once. Close some, or wait until they end.",
  visitor: "You follow too many answers at once. Close some of the chat's tabs, or wait until they end.",
  run: "Too many follow this answer at once. Try again in a moment.",
};

const retrySeconds = 5;

/** Counts the streams that are open; a counter goes with its last stream. */
export interface OpenStreams {
  /** Takes a place in each of these counts, and gives what gives them back. Throws DoorProblem, 429, where one is full. */
  take(of: StreamOf): () => void;
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<string, number>();
  return {
    take(of) {
      const names: string[] = [];
      for (const kind of ["key", "visitor", "run"] as const) {
        const id = of[kind];
        if (id === undefined) continue;
        const name = `${kind} ${id}`;
        if ((open.get(name) ?? 0) >= maxOpen[kind])
          throw new DoorProblem(problems.tooMany(details[kind], retrySeconds));
        names.push(name);
      }
      for (const name of names) open.set(name, (open.get(name) ?? 0) + 1);
      return () => {
        for (const name of names.splice(0)) {
          const left = (open.get(name) ?? 1) - 1;
          if (left > 0) open.set(name, left);
          else open.delete(name);
        }
      };
    },
  };
}
