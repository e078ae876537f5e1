import type { Usage } from "../model/chat-model.ts";
import { addCost } from "../model/usage.ts";
import { redactEvent } from "./redact-event.ts";
import type { RunEvent, RunEventBody } from "./events.ts";

/** What the place of an event adds to its envelope. */
export interface EventStamp {
  parentCallId?: string;
  item?: number;
  outerItems?: readonly number[];
  replayed?: true;
}

/** Where a run's log goes to and what it needs. */
interface RunLogOptions {
  runId: string;
  now(): number;
  write(event: RunEvent): void;
  /** Takes secrets out of a text. */
  redact?(text: string): string;
}

/**
 * The one place where events are made: numbers them without gaps, stamps the time, redacts, sums usage and cost, and
 * takes nothing more once the run has ended.
 */
export class RunLog {
  readonly usage: Usage = { inputTokens: 0, outputTokens: 0 };
  costUsd: number | null = 0;
  private seq = 0;
  private closed = false;
  private readonly options: RunLogOptions;

  constructor(options: RunLogOptions) {
    this.options = options;
  }

  /** Adds an event, which is the log's from now on; gives its `seq`, or -1 after the run's end. */
  emit(body: RunEventBody, stamp?: EventStamp): number {
    if (this.closed) return -1;
    const { runId, redact } = this.options;
    const seq = this.seq;
    this.seq += 1;
    const safe = redact ? redactEvent(body, redact) : body;
    // Not spread into a new object: with as many shapes as there are events, that costs more than all the rest here.
    const event: RunEvent = Object.assign(safe, stamp, { runId, seq, at: this.options.now() });
    if (event.type === "model-response" || event.type === "embedding") {
      if (!event.replayed) this.count(event.usage, event.costUsd);
    } else if (body.type === "run-end") this.closed = true;
    this.options.write(event);
    return seq;
  }

  /** A cost that is not known makes the sum unknown. */
  private count(usage: Usage | undefined, costUsd: number | null): void {
    if (usage) addUsage(this.usage, usage);
    this.costUsd = addCost(this.costUsd, costUsd);
  }
}

function addUsage(sum: Usage, usage: Usage): void {
  sum.inputTokens += usage.inputTokens;
  sum.outputTokens += usage.outputTokens;
  if (usage.cachedInputTokens !== undefined) {
    sum.cachedInputTokens = (sum.cachedInputTokens ?? 0) + usage.cachedInputTokens;
  }
  if (usage.reasoningTokens !== undefined) sum.reasoningTokens = (sum.reasoningTokens ?? 0) + usage.reasoningTokens;
}
