import { z } from "zod/mini";
import type { ServeOwner } from "./chore-rounds.ts";
import type { ChoreName } from "./chores.ts";
import { fireSchedulesOf } from "./schedules.ts";
import { type SendOptions, sendNoticeOf } from "./send-notices.ts";
import { storeUploadOf } from "./store-uploads.ts";
import { sendTracesOf } from "./send-traces.ts";
import { reloadSourceOf } from "./sources/reload-source.ts";
import { createRobotsCache } from "./sources/robots-cache.ts";

/** How long one part of deleting an account takes, in milliseconds. */
const deletionMs = 200;
/** As many as the database ends in one statement. */
const waitsAtOnce = 200;
const lostAtOnce = 50;

interface ServeOptions extends SendOptions {
  /** Takes the next run of an owner and runs it; whether there was one. */
  takeRunOf: ServeOwner;
}

/** How each chore is done for one owner. */
export function createServing(options: ServeOptions): Record<ChoreName, ServeOwner> {
  const { door, takeRunOf } = options;
  const robots = createRobotsCache();
  const counted = async (statement: "expireWaits" | "failLostRuns", owner: string) => {
    const [row] = await door.ask(statement, [owner]);
    return z.number().parse(row?.["answer"]);
  };
  return {
    schedules: (owner) => fireSchedulesOf(owner, door, Date.now()),
    waits: async (owner) => (await counted("expireWaits", owner)) >= waitsAtOnce,
    "lost-runs": async (owner) => (await counted("failLostRuns", owner)) >= lostAtOnce,
    claims: takeRunOf,
    queue: async (owner) => {
      await door.ask("checkQueue", [owner]);
      return false;
    },
    retention: async (owner) => (await door.ask("pruneOwner", [owner]))[0]?.["answer"] === true,
    notices: (owner) => sendNoticeOf(owner, options),
    traces: (owner) => sendTracesOf(owner, options),
    uploads: (owner) => storeUploadOf(owner, options),
    sources: (owner) => reloadSourceOf(owner, { ...options, robots }),
    reindexing: async (owner) => (await door.ask("reindexOwner", [owner]))[0]?.["answer"] === true,
    deletions: async (owner) => (await door.ask("deleteOwnerPart", [owner, deletionMs]))[0]?.["answer"] === false,
  };
}
