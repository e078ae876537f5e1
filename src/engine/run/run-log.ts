import type { Usage } from "../model/chat-model.ts";
import { addCost } from "../model/usage.ts";
import { redactEvent } from "./redact-event.ts";
import type { RunEvent, RunEventBody } from "./events.ts";

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
  readonly usage: Usage;
  costUsd: number | null;
  private seq: number;
  private closed = false;
  private readonly options: RunLogOptions;

  constructor(options: RunLogOptions) {
    this.options = options;
    const { nextSeq, usage, costUsd } = options.written ?? { nextSeq: 0, usage: noTokens, costUsd: 0 };
    this.seq = nextSeq;
    this.usage = { ...usage };
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
    if (event.type === "model-response" || event.type === "embedding") {
      if (!event.replayed) this.count(event.usage, event.costUsd);
    } else if (body.type === "run-end") this.closed = true;
    this.options.write(event);
    return seq;
  }

  /** An unknown cost makes the sum unknown. */
  private count(usage: Usage | undefined, costUsd: number | null): void {
    if (usage) addUsage(this.usage, usage);
    this.costUsd = addCost(this.costUsd, costUsd);
  }
}

const noTokens: Usage = { inputTokens: 0, outputTokens: 0 };

/** Adds tokens to a sum, in place. */
export function addUsage(sum: Usage, usage: Usage): void {
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  if (usage.cachedInputTokens !== undefined) {
    sum.cachedInputTokens = (sum.cachedInputTokens ?? 0) + usage.cachedInputTokens;
  }
  if (usage.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + usage.reasoningTokens;
}
