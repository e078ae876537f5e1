import type { Usage } from "../model/chat-model.ts";
import { addCost, addUsage } from "../model/usage.ts";
import { isSpending, type RunEvent, type RunEventBody } from "./events.ts";

/** Where in the run an event happened; added to its envelope. */
export interface EventStamp {
  parentCallId?: string;
  item?: number;
  outerItems?: readonly number[];
  replayed?: true;
}

/** What a run's log needs, and where its events go. */
interface RunLogOptions {
  runId: string;
  now(): number;
  write(event: RunEvent): void;
  /** Removes secrets from a text. */
  redact?(text: string): string;
  /** What earlier attempts of the same run wrote. */
  written?: WrittenEvents;
}

/** The log of a run's earlier attempts, which this one continues. */
export interface WrittenEvents {
  /** The `seq` of the first new event. */
  nextSeq: number;
  usage: Usage;
  costUsd: number | null;
  /** Whether the log holds this event already; each written event answers once. */
  take(event: RunEventBody & EventStamp): boolean;
}

/**
 * The one place where events are made: numbers them without gaps, stamps the time, redacts, sums usage and cost, and
 * takes nothing more once the run has ended.
 */
export class RunLog {
  usage: Usage;
  costUsd: number | null;
  private seq: number;
  private closed = false;
  private readonly options: RunLogOptions;

  constructor(options: RunLogOptions) {
    this.options = options;
    const { nextSeq, usage, costUsd } = options.written ?? { nextSeq: 0, usage: noTokens, costUsd: 0 };
    this.seq = nextSeq;
    this.usage = usage;
    this.costUsd = costUsd;
  }

  /**
   * Adds an event, which must not be changed afterwards. Returns its `seq`, or -1 after the end of the run and for
   * events that an earlier attempt wrote.
   */
  emit(body: RunEventBody, stamp?: EventStamp): number {
    if (this.closed) return -1;
    const { runId, redact, written } = this.options;
    const safe = redact ? redactEvent(body, redact) : body;
    if (written?.take(Object.assign(safe, stamp))) return -1;
    const seq = this.seq;
    this.seq += 1;
    // Not spread into a new object: with as many shapes as there are events, that costs more than all the rest here.
    const event: RunEvent = Object.assign(safe, stamp, { runId, seq, at: this.options.now() });
    if (isSpending(event)) {
      if (!event.replayed) this.count(event.usage, event.costUsd);
    } else if (body.type === "run-end") this.closed = true;
    this.options.write(event);
    return seq;
  }

  /** An unknown cost makes the sum unknown. */
  private count(usage: Usage | undefined, costUsd: number | null): void {
    if (usage) this.usage = addUsage(this.usage, usage);
    this.costUsd = addCost(this.costUsd, costUsd);
  }
}

const noTokens: Usage = { inputTokens: 0, outputTokens: 0 };

/** The event with every text in it redacted, at any depth; parts without a secret are shared, not copied. */
function redactEvent(event: RunEventBody, redact: (text: string) => string): RunEventBody {
  const clean = { ...event };
  redactInto(clean, redact);
  return clean;
}

/** Replaces the values of an own copy in place; nested values are copied only where something changes. */
function redactInto(copy: object, redact: (text: string) => string): void {
  for (const [key, value] of Object.entries(copy)) {
    const clean = redactValue(value, redact);
    if (clean !== value) Reflect.set(copy, key, clean);
  }
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  let copy: object | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const clean = redactValue(inner, redact);
    const cleanKey = Array.isArray(value) ? key : redact(key);
    if (clean === inner && cleanKey === key) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    if (cleanKey !== key) Reflect.deleteProperty(copy, key);
    Reflect.set(copy, cleanKey, clean);
  }
  return copy ?? value;
}
