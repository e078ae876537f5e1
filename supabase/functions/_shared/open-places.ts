import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";

/** Calls of a user that were let in without asking the database. */
export interface UncountedCalls {
  owner: string;
  bucket: string;
  calls: number;
}

/**
 * Places of calls that have ended. They are given back with the next call that asks the database anyway, or together a
 * moment later, so that no call waits for another's end.
 */
export interface OpenPlaces {
  /** Gives a place back; resolves when the database has heard of it. */
  leave(place: string): Promise<void>;
  /** Takes what has not been told yet, to be told with the next call. */
  take(): string[];
  /** Puts back what could not be told. */
  putBack(places: readonly string[]): void;
}

/** How long an ended call's place may wait for the next call: those of an agent follow each other more quickly. */
const waitMs = 250;
const mostAtOnce = 200;
const mostAttempts = 5;

/** `takeUncounted` hands over what is to be counted when places are given back. */
export function createOpenPlaces(
  supabase: Pick<SupabaseClient, "callAsService">,
  takeUncounted: () => UncountedCalls[] = () => [],
): OpenPlaces {
  const left = new Set<string>();
  let round: Promise<void> | null = null;

  const take = (): string[] => {
    const some = [...left].slice(0, mostAtOnce);
    for (const place of some) left.delete(place);
    return some;
  };

  async function tell(): Promise<void> {
    await sleep(waitMs);
    // What is left from now on waits for the next round.
    round = null;
    for (let places = take(); places.length > 0; places = take()) await tellOf(supabase, places, takeUncounted());
  }

  return {
    take,
    putBack(places) {
      for (const place of places) left.add(place);
      // Whoever puts them back has an error of its own to tell.
      if (places.length > 0) (round ??= tell()).catch(() => undefined);
    },
    leave(place) {
      left.add(place);
      return (round ??= tell());
    },
  };
}

/** A place that is not given back counts until it is forgotten, so a database that restarts is waited for. */
async function tellOf(
  supabase: Pick<SupabaseClient, "callAsService">,
  places: readonly string[],
  uncounted: readonly UncountedCalls[],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await supabase.callAsService("studio_leave_slots", {
        p_slots: places,
        ...(uncounted.length > 0 && { p_uncounted: uncounted }),
      });
      return;
    } catch (error) {
      if (!(error instanceof SupabaseError) || error.status !== 503 || attempt === mostAttempts) throw error;
      await sleep(attempt * 1_000);
    }
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
