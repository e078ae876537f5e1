import { allowAll, type Robots, readRobots } from "../../src/documents/web/robots.ts";
import type { WebAnswer } from "./web-answer.ts";

/** As hosts' robots.txt know this crawler. */
export const crawlerName = "Switchyard";

const ttlMs = 60 * 60 * 1000;
const maxEntries = 1_000;

/** Rules of an origin, or why they cannot be known. */
export type RobotsAnswer = { ok: true; robots: Robots } | { ok: false; message: string };

/** What hosts allow, for an hour. */
export interface RobotsCache {
  of(origin: string, load: () => Promise<WebAnswer>): Promise<RobotsAnswer>;
}

/** A host without a robots.txt allows everything; one whose robots.txt cannot be had, nothing, and is asked again (RFC 9309). */
export function createRobotsCache(): RobotsCache {
  const known = new Map<string, { robots: Robots; until: number }>();
  return {
    async of(origin, load) {
      const kept = known.get(origin);
      if (kept && kept.until > Date.now()) return { ok: true, robots: kept.robots };
      const answer = await load();
      if (answer.type === "failed" && !answer.refused)
        return { ok: false, message: `The robots.txt of ${origin} could not be read: ${answer.error.message}` };
      const robots = answer.type === "page" ? readRobots(answer.body, crawlerName) : allowAll;
      known.delete(origin);
      known.set(origin, { robots, until: Date.now() + ttlMs });
      for (const old of known.keys()) if (known.size > maxEntries) known.delete(old);
      return { ok: true, robots };
    },
  };
}
