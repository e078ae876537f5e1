import { RunError } from "../../src/engine/errors.ts";
import { missingCollection } from "../../src/engine/knowledge/knowledge-errors.ts";
import { hostOf } from "../host-of-owner.ts";
import type { SendOptions } from "../send-notices.ts";
import { NoAnswer } from "../sql-door.ts";
import { createAskWeb, usualGapMs } from "./ask-web.ts";
import { createPageReader, StopReload } from "./read-page.ts";
import type { RobotsCache } from "./robots-cache.ts";
import { type SourceTurn, takeSource } from "./source-turn.ts";
import type { WebFailure } from "./web-answer.ts";

/** Milliseconds until others have their turn. */
const turnMs = 15_000;
/** Milliseconds after which a reload goes on that something kept from going on. */
const pauseMs = 60_000;
/** What one reload may take. */
const maxSeconds = 6 * 60 * 60;
const maxBytes = 200 * 1024 * 1024;

interface ReloadOptions extends SendOptions {
  robots: RobotsCache;
  /** Milliseconds between two requests of a host. */
  gapMs?: number;
}

/**
 * Goes on for a while with the source of an owner that has been due longest, with the owner's rights: its pages become documents of its
 * collection, or are brought up to date. Gives whether there was one. What keeps it from going on is told, and so is an account that is
 * full; what is wrong with a page or with the source stands there.
 */
export async function reloadSourceOf(owner: string, options: ReloadOptions): Promise<boolean> {
  const turn = await takeSource(owner, options);
  if (turn === null) return false;
  try {
    const end = await goOn(owner, turn, options);
    if (end.type === "left") await turn.leave(0);
    if (end.type === "over") await turn.end(end.error);
    return true;
  } catch (error) {
    if (error instanceof StopReload) {
      await turn.end(error.failure);
      if (error.isTold) throw new Error(error.failure.message, { cause: error });
      return true;
    }
    await turn.leave(pauseMs);
    if (error instanceof RunError && error.data.retryable) throw new NoAnswer(error.message);
    throw error;
  }
}

type TurnEnd = { type: "left" } | { type: "over"; error: WebFailure | null } | { type: "lost" };

async function goOn(owner: string, turn: SourceTurn, options: ReloadOptions): Promise<TurnEnd> {
  const { source } = turn;
  const host = hostOf(owner, options);
  const { signal } = new AbortController();
  const collection = await host.knowledge.collection(source.collection, { signal });
  if (collection === null) return { type: "over", error: missingCollection().data };
  const { door, robots, gapMs = usualGapMs } = options;
  const askWeb = createAskWeb({ owner, host, door, robots, gapMs, signal });
  const readPage = createPageReader({ turn, host, collection, askWeb, signal });
  const began = Date.now();
  let { bytes, tokens } = source;
  while (Date.now() - began < turnMs) {
    const seconds = source.seconds + (Date.now() - began) / 1_000;
    if (seconds > maxSeconds) return tooMuch("took longer than six hours");
    if (bytes > maxBytes) return tooMuch(`read more than ${maxBytes / 1024 / 1024} MB`);
    const page = await turn.next();
    if (page === null) return { type: "over", error: null };
    const note = await readPage(page, tokens);
    if (note === null || !(await turn.note(page, note))) return { type: "lost" };
    bytes += note.bytes;
    tokens += note.tokens;
    if (page.depth === 0 && (note.outcome === "failed" || note.outcome === "gone")) {
      return { type: "over", error: note.error ?? null };
    }
  }
  return { type: "left" };
}

function tooMuch(what: string): TurnEnd {
  const hint = "Lower its maximum number of pages, or exclude some of them.";
  return { type: "over", error: { message: `The reload ${what} and was stopped.`, hint } };
}
