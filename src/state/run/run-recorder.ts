import { totalTokens } from "../../engine/model/usage.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { EventOf, RunEvent } from "../../engine/run/events.ts";
import { EventMask } from "../../engine/run/privacy/event-mask.ts";
import { maskDocument } from "../../engine/run/privacy/mask-document.ts";
import { holdsPicture, EventPacker } from "../../engine/run/stored-events.ts";
import { wellFormed } from "../../engine/well-formed.ts";
import { endInstead, eventInstead, isRefused, runInstead } from "./refused-part.ts";
import type { SaveState } from "./run-store.ts";
import {
  ServiceError,
  type RecordedRun,
  type RunEnd,
  type RunRepository,
  type StoredEnding,
} from "../../services/services.ts";
import { SpendingByModel } from "./spending-by-model.ts";
import { StorableEvents } from "./storable-events.ts";
import { weightOf } from "./weight-of.ts";

export interface RecorderOptions {
  repository: Pick<RunRepository, "start" | "appendEvents" | "finish">;
  /** Says of the workflow's nodes which settings can be masked. */
  registry: NodeRegistry;
  onState(state: SaveState): void;
  /** Waits; the recorder is woken early when there is a reason. Tests bring their own clock. */
  sleep?(ms: number): Promise<void>;
}

interface Masking {
  mask: EventMask;
  stored: RecordedRun;
}

interface RunRecorder {
  /** Takes the run's next event. Never throws and never waits: a run does not depend on being stored. */
  push(event: RunEvent): void;
  /** Resolves when the run is stored to its end, or when storing it was given up. */
  done: Promise<void>;
}

/** How long the run's row may wait, so that the run's first model request goes out before it. */
const rowDelayMs = 100;
const batchMs = 500;
const largestBatch = 500;
/** The most characters in one request, unless a single event has more: serialising long texts takes time. */
const heaviestBatch = 1_000_000;
const sliceMs = 10;
const firstRetryMs = 1000;
const longestRetryMs = 15_000;
/** After this many refused events the rest of the log is given up: the cause is then not a single bad value. */
const mostRefused = 100;

/**
 * Stores a run while it goes on: its row, its events in batches, and the last of them with its end. Failures are retried
 * with growing pauses for as long as the tab lives, with the same events, which the repository stores at most once. Text
 * is made storable first. If a batch is refused all the same, whatever can be stored is: a note replaces the rest, the run
 * is finished, and its state is `incomplete`. If its workflow is gone, the run is `lost`. What the workflow's privacy
 * settings name is masked here and never leaves the tab; whoever watches the run live sees it unmasked.
 */
export function recordRun(run: RecordedRun, options: RecorderOptions): RunRecorder {
  const sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  const queue: RunEvent[] = [];
  /** Events on their way to storage: masked if the workflow asks for it, and with each picture in only one of them. */
  const outgoing: RunEvent[] = [];
  const storable = new StorableEvents();
  const packer = new EventPacker();
  let missing = 0;
  let end: EventOf<"run-end"> | undefined;
  let early: StoredEnding | undefined;
  let wake: (() => void) | undefined;

  const spending = new SpendingByModel();

  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let goOn: (() => void) | undefined;
  const underWay = new Promise<void>((resolve) => (goOn = resolve));

  let ended = false;
  const push = (event: RunEvent) => {
    spending.add(event);
    queue.push(event);
    begin?.();
    ended ||= event.type === "run-end";
    const isDue = ended || queue.length >= largestBatch || waits(event);
    if (isDue) wake?.();
    if (isDue || event.type === "model-request") goOn?.();
  };

  const moreEvents = () => {
    if (ended || queue.length >= largestBatch || outgoing.length > 0 || queue.some(waits)) return Promise.resolve();
    return Promise.race([sleep(batchMs), new Promise<void>((resolve) => (wake = resolve))]);
  };

  const add = (event: RunEvent) => {
    outgoing.push(packer.pack(storable.take(event)));
    if (event.type === "run-end") end = event;
    if (event.type === "iteration-end" && event.ending && event.parentCallId === undefined) {
      const { finish, message } = event.ending;
      early = { finish, message };
    }
  };

  /** Custom patterns can be slow on long texts, so the page gets a turn in between. */
  const takeFromQueue = async (mask: EventMask | undefined) => {
    let until = performance.now() + sliceMs;
    for (const event of queue.splice(0, largestBatch)) {
      for (const ready of mask?.take(event) ?? [event]) add(ready);
      if (mask === undefined || performance.now() < until) continue;
      await sleep(0);
      until = performance.now() + sliceMs;
    }
  };

  const attempt = async (write: () => Promise<void>) => {
    for (let pause = firstRetryMs; ; pause = Math.min(pause * 2, longestRetryMs)) {
      try {
        await write();
        options.onState({ status: "saving" });
        return;
      } catch (error) {
        if (isFinal(error)) throw error;
        options.onState({ status: "retrying", message: describe(error) });
        await sleep(pause);
      }
    }
  };

  /** Writes a value or, if it is refused, what can be stored of it. */
  const write = async <Value>(value: Value, instead: Value, store: (value: Value) => Promise<void>) => {
    try {
      await attempt(() => store(value));
    } catch (error) {
      if (!isRefused(error)) throw error;
      missing += 1;
      await attempt(() => store(instead));
    }
  };

  /** A refused batch is stored in halves, down to the event that is refused. */
  const storeEvents = async (events: readonly RunEvent[]): Promise<void> => {
    const [event] = events;
    if (event === undefined) return;
    if (missing > mostRefused) {
      const last = events.filter(({ type }) => type === "run-end");
      missing += events.length - last.length;
      if (last.length < events.length) return storeEvents(last);
    }
    try {
      await attempt(() => options.repository.appendEvents(run.id, events));
    } catch (error) {
      if (!isRefused(error)) throw error;
      const middle = Math.floor(events.length / 2);
      if (middle > 0) {
        await storeEvents(events.slice(0, middle));
        await storeEvents(events.slice(middle));
        return;
      }
      missing += 1;
      await attempt(() => options.repository.appendEvents(run.id, [eventInstead(event, error)])).catch(ignoreRefusal);
    }
  };

  const endingOf = (last: EventOf<"run-end">): RunEnd => {
    const output = packer.refer(last.output);
    return wellFormed({ ...toEnd(last), output, ending: early, spending: spending.list() });
  };

  /** The last events and the end in one write; false where one of them is refused or finds no room. */
  const storeTogether = async (events: readonly RunEvent[], ending: RunEnd): Promise<boolean> => {
    try {
      await attempt(() => options.repository.finish(run.id, ending, events));
      return true;
    } catch (error) {
      if (isRefused(error) || isFull(error)) return false;
      throw error;
    }
  };

  const storeAll = async () => {
    options.onState({ status: "saving" });
    /** What the account has no room for. The end of the run is stored all the same. */
    let full: string | undefined;
    let mask: EventMask | undefined;
    let stored = run;
    await attempt(async () => {
      const masking = maskingOf(run, options.registry);
      if (masking) ({ mask, stored } = masking);
    });
    // What the run waits for goes before what is only written down.
    await Promise.race([underWay, sleep(rowDelayMs)]);
    // The row leads to the pictures that the first event has, instead of having its own.
    if (holdsPicture(stored.input)) {
      await begun;
      await takeFromQueue(mask);
    }
    const row = wellFormed({ ...stored, input: packer.refer(stored.input) });
    await write(row, runInstead(row), (each) => options.repository.start(each));
    for (;;) {
      await moreEvents();
      await takeFromQueue(mask);
      const batch = nextBatch(outgoing);
      const last = end;
      const ending = last && endingOf(last);
      const isLast = ending !== undefined && queue.length === 0 && batch.length === outgoing.length;
      if (isLast && full === undefined && (await storeTogether(batch, ending))) break;
      if (batch.length > 0 && full === undefined) full = await unlessFull(() => storeEvents(batch));
      outgoing.splice(0, batch.length);
      if (last === undefined || ending === undefined || queue.length > 0 || outgoing.length > 0) continue;
      const finish = (told: RunEnd) => options.repository.finish(run.id, told);
      const noRoom = await unlessFull(() => write(ending, endInstead(ending), finish));
      // At least how the run ended, which takes no room.
      if (noRoom !== undefined) {
        await unlessFull(() => attempt(() => finish({ ...toEnd(last), output: null, error: null, ending: early })));
      }
      full ??= noRoom;
      break;
    }
    if (full !== undefined) options.onState({ status: "lost", message: full });
    else options.onState(missing === 0 ? { status: "saved" } : { status: "incomplete", missing });
  };

  const done = storeAll().catch((error: unknown) => options.onState({ status: "lost", message: describe(error) }));
  return { push, done };
}

/** What masks the run's events, and its row masked already; nothing where nothing is to be masked. */
function maskingOf(run: RecordedRun, registry: NodeRegistry): Masking | undefined {
  const { privacy } = run.document;
  if (!privacy || (privacy.mask.length === 0 && privacy.patterns.length === 0)) return undefined;
  const mask = new EventMask(privacy);
  const document = maskDocument(run.document, privacy, registry);
  return { mask, stored: { ...run, input: mask.value(run.input), document } };
}

/** The first events that fit into one request; at least one if there is any. */
function nextBatch(events: readonly RunEvent[]): RunEvent[] {
  let weight = 0;
  const most = Math.min(events.length, largestBatch);
  for (let count = 0; count < most; count += 1) {
    weight += weightOf(events[count], heaviestBatch);
    if (weight > heaviestBatch) return events.slice(0, Math.max(1, count));
  }
  return events.slice(0, most);
}

function toEnd(event: EventOf<"run-end">): RunEnd {
  return {
    status: event.outcome,
    output: event.output,
    error: event.error ?? null,
    totalTokens: totalTokens(event.usage),
    costUsd: event.costUsd,
    endedAt: event.at,
  };
}

function isFinal(error: unknown): boolean {
  return error instanceof ServiceError && ["invalid", "not-found", "full"].includes(error.kind);
}

/** Tells which limit is reached, and what to do, if a write failed for that reason. */
async function unlessFull(write: () => Promise<void>): Promise<string | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (isFull(error)) return `${error.message} ${error.hint}`;
    throw error;
  }
}

function isFull(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === "full";
}

/** What a person may answer much later, from another tab or after closing this one, is stored at once. */
function waits({ type }: RunEvent): boolean {
  return type === "approval-wait" || type === "pause-wait";
}

function ignoreRefusal(error: unknown): void {
  if (!isRefused(error)) throw error;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
