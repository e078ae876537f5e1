import type { EventOf, RunEvent } from "../src/engine/run/events.ts";
import type { EventMask } from "../src/engine/run/privacy/event-mask.ts";
import { wellFormed } from "../src/engine/well-formed.ts";
import { StorableEvents } from "../src/state/run/storable-events.ts";
import type { Appended, HeldRun, RunQueue, StoredEnd } from "./run-queue.ts";
import type { RunSpending } from "./run-spending.ts";
import { StatementRefused } from "./sql-door.ts";
import { mergeDeltas, storedSoFar } from "./stored-log.ts";

/** What else is told while events are stored. */
interface RecorderReports {
  /** An event, masked, before it is stored. */
  onReady(event: RunEvent): void;
  onStored(): void;
  /** Another attempt has the run: nothing was stored, and nothing may be written any more. */
  onFenced(): void;
  onCancelled(): void;
  /** The account has no room for more events. */
  onFull(): void;
}

interface RecorderOptions extends RecorderReports {
  queue: RunQueue;
  run: HeldRun;
  /** The log of earlier attempts. */
  before: readonly RunEvent[];
  spending: Pick<RunSpending, "spentUsd" | "settled">;
  /** Takes out what the workflow's privacy settings name. */
  mask: EventMask | undefined;
}

/** Events and characters of one statement, unless a single event has more. */
const largestBatch = 300;
const heaviestBatch = 1_500_000;

const never = new Promise<never>(() => {});

/**
 * Stores the events of one attempt: in order, each picture once, text such as a database takes, the pieces of an answer
 * as one event, masked where the workflow says so. `flush` is the checkpoint.
 */
export class RunRecorder {
  private readonly options: RecorderOptions;
  private readonly storable = new StorableEvents();
  private readonly stored: ReturnType<typeof storedSoFar>;
  private pending: RunEvent[] = [];
  private writing: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private early: StoredEnd["ending"] = null;
  private closed = false;
  private full = false;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.stored = storedSoFar(options.before);
    for (const event of options.before) this.note(event);
  }

  /** Whether something waits to be stored. */
  get isBehind(): boolean {
    return this.pending.length > 0;
  }

  push(event: RunEvent): void {
    if (this.closed) return;
    this.stored.spending.add(event);
    this.note(event);
    const { mask } = this.options;
    for (const ready of mask?.take(event) ?? [event]) {
      this.options.onReady(ready);
      this.pending.push(this.storable.take(ready));
    }
  }

  /** Resolves when all events so far are stored; never, once the run is another attempt's. */
  flush(): Promise<void> {
    if (this.closed) return never;
    if (this.next) return this.next;
    if (!this.writing) return this.begin();
    this.next = this.writing.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  /** Stores the rest and the run's end, both or neither. */
  async finish(end: EventOf<"run-end">): Promise<"ok" | "fenced"> {
    const { queue, run } = this.options;
    this.push(end);
    await this.settled();
    await this.options.spending.settled();
    this.closed = true;
    const row: StoredEnd = {
      status: end.outcome,
      output: this.stored.packer.refer(end.output),
      error: end.error ?? null,
      ending: this.early,
      totalTokens: end.usage.inputTokens + end.usage.outputTokens,
      costUsd: end.costUsd,
      usage: this.stored.spending.list(),
    };
    const rest = this.full ? [] : this.take();
    for (const batch of batchesOf(rest.slice(0, -1))) await this.store(batch);
    try {
      return await queue.finish(run, JSON.stringify(rest.slice(-1)), wellFormed(row));
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw error;
      // At least how it ended: that takes no room.
      return queue.finish(run, "[]", { ...row, output: null, ending: null, usage: null });
    }
  }

  /** Stores the rest and gives the run back. */
  async release(status: "waiting" | "queued"): Promise<"waiting" | "queued" | "fenced"> {
    await this.settled();
    await this.options.spending.settled();
    this.closed = true;
    const batches = batchesOf(this.take());
    const last = batches.pop() ?? [];
    for (const batch of batches) await this.store(batch);
    const { queue, run } = this.options;
    try {
      return await queue.release(run, JSON.stringify(this.full ? [] : last), status);
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw error;
      // Without room for its last events it is given back all the same.
      return queue.release(run, "[]", status);
    }
  }

  /** Takes no more events. */
  close(): void {
    this.closed = true;
    this.pending = [];
  }

  private note(event: RunEvent): void {
    if (event.type === "iteration-end" && event.ending && event.parentCallId === undefined) {
      const { finish, message } = event.ending;
      this.early = { finish, message };
    }
  }

  private async settled(): Promise<void> {
    await (this.next ?? this.writing)?.catch(() => undefined);
  }

  private take(): RunEvent[] {
    return mergeDeltas(this.pending.splice(0)).map((event) => this.stored.packer.pack(event));
  }

  private begin(): Promise<void> {
    this.next = undefined;
    const writing = this.write().finally(() => {
      if (this.writing === writing) this.writing = undefined;
    });
    this.writing = writing;
    return writing;
  }

  private async write(): Promise<void> {
    if (this.full) this.pending = [];
    if (this.pending.length === 0) return;
    for (const batch of batchesOf(this.take())) {
      const stored = await this.store(batch);
      if (this.closed) return never;
      if (stored.state === "fenced") {
        this.close();
        this.options.onFenced();
        return never;
      }
      if (stored.state === "cancelled") this.options.onCancelled();
      this.options.onStored();
    }
  }

  /** What is refused as a whole is stored in halves, down to the event that does not fit: a note takes its place. */
  private async store(batch: readonly RunEvent[]): Promise<Appended> {
    const { queue, run } = this.options;
    try {
      return await queue.append(run, JSON.stringify(batch), this.options.spending.spentUsd);
    } catch (error) {
      if (!(error instanceof StatementRefused)) throw error;
      if (error.message.startsWith("quota_exceeded")) {
        this.full = true;
        this.options.onFull();
        return { state: "ok" };
      }
      const middle = Math.floor(batch.length / 2);
      if (middle > 0) {
        const first = await this.store(batch.slice(0, middle));
        return first.state === "fenced" ? first : this.store(batch.slice(middle));
      }
      const [event] = batch;
      if (event === undefined || isNote(event)) throw error;
      return this.store([noteInstead(event, error)]);
    }
  }
}

const notStored = "What happened here could not be stored.";

function isNote(event: RunEvent): boolean {
  return event.type === "warning" && event.message === notStored;
}

/** What stands in the log in the place of an event that was refused. */
function noteInstead({ runId, seq, at }: RunEvent, reason: StatementRefused): RunEvent {
  return { runId, seq, at, type: "warning", message: notStored, hint: reason.message };
}

/** Parts of a size that one statement takes. */
function batchesOf(events: readonly RunEvent[]): RunEvent[][] {
  const batches: RunEvent[][] = [];
  let weight = 0;
  for (const event of events) {
    const own = JSON.stringify(event).length;
    const last = batches.at(-1);
    if (last && last.length < largestBatch && weight + own <= heaviestBatch) {
      last.push(event);
      weight += own;
    } else {
      batches.push([event]);
      weight = own;
    }
  }
  return batches;
}
