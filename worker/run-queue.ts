import { z } from "zod/mini";
import type { Json } from "../src/engine/json.ts";
import { isJsonObject } from "../src/engine/json.ts";
import { takeStoredPrices } from "../src/engine/models/accepted-models.ts";
import { fileSchema } from "../src/engine/file/file.ts";
import type { ForkPoint, RunEvent } from "../src/engine/run/events.ts";
import type { CallCost } from "../src/engine/spending/spending-limit.ts";
import { callerTrusts, runSourceNames } from "../src/engine/trust/run-sources.ts";
import { NoAnswer, type SqlDoor, tookTooLong } from "./sql-door.ts";
import type { Parameter, WorkerStatement } from "./statements.ts";

const json = z.json() as z.ZodMiniType<Json>;

/** The limit of a publication that a worker watches over; the others are the claim's, and the booking's. */
const limitsSchema = z.object({
  timeoutSeconds: z.catch(z.optional(z.number().check(z.positive())), undefined),
});

const forkPoint: z.ZodMiniType<ForkPoint> = z.object({
  runId: z.string(),
  seq: z.optional(z.number()),
  callId: z.optional(z.string()),
});

const claimRow = z.pipe(
  z.object({
    id: z.string(),
    owner: z.string(),
    workflow_id: z.string(),
    source: z.enum(runSourceNames),
    callers: z.nullable(z.enum(callerTrusts)),
    attempt: z.number(),
    input: z.nullish(json),
    forked_from: z.nullish(forkPoint),
    cancelled: z.boolean(),
    limits: limitsSchema,
    document: z.unknown(),
    workflows: z.record(z.string(), z.unknown()),
    files: z.array(fileSchema),
  }),
  z.transform((row) => ({
    id: row.id,
    owner: row.owner,
    workflowId: row.workflow_id,
    source: row.source,
    callers: row.callers,
    attempt: row.attempt,
    input: row.input ?? null,
    forkedFrom: row.forked_from ?? undefined,
    cancelled: row.cancelled,
    limits: row.limits,
    document: row.document,
    workflows: row.workflows,
    files: row.files,
  })),
);

/** A run that this worker has taken, with the version that it runs. */
export type ClaimedRun = z.infer<typeof claimRow>;

const claimedRun = z.object({ id: z.string(), attempt: z.number() });

const appended = z.object({ state: z.enum(["ok", "cancelled", "fenced"]) });

/** What became of events that were stored. */
export type Appended = z.infer<typeof appended>;

const bookAnswer = z.discriminatedUnion("state", [
  /** Another attempt has the run. */
  z.object({ state: z.literal("fenced") }),
  /** No limit applies. */
  z.object({ state: z.literal("free") }),
  z.object({ state: z.literal("ok"), usd: z.number() }),
  /** There is room once calls under way are settled. */
  z.object({ state: z.literal("busy") }),
  z.object({
    state: z.literal("full"),
    cap: z.enum(["run", "day", "month", "keyDay", "keyMonth"]),
    capUsd: z.number(),
  }),
]);

/** What became of a call that was to be booked. */
export type BookAnswer = z.infer<typeof bookAnswer>;

const decision = z.record(z.string(), json);

/** What a person, or the end of its time, decided about a wait. */
export type WaitDecision = z.infer<typeof decision>;

const beatAnswer = z.object({
  fenced: z.array(z.string()),
  cancelled: z.array(z.string()),
  decided: z.array(z.object({ runId: z.string(), callId: z.string(), decision })),
});

const eventRow = z.object({ event: z.custom<RunEvent>(isEvent) });

function isEvent(value: unknown): boolean {
  return isJsonObject(value) && typeof value.type === "string" && typeof value.seq === "number";
}

const sourceRow = z.object({ document: z.unknown(), input: z.nullish(json), status: z.string() });

const pageSize = 500;

/** For how long a claim holds, and how often it is renewed. A worker that is gone is noticed after a lease. */
export const leaseMs = 12_000;

/** What a claim gives: a run, or one that is this worker's and that it cannot read. */
export type Claim = { ok: true; run: ClaimedRun } | { ok: false; run: HeldRun; reason: string };

/** A claimed run, as its attempt writes it. */
export interface HeldRun {
  id: string;
  attempt: number;
}

/** How a run ended, for its row. */
export interface StoredEnd {
  status: "completed" | "failed" | "cancelled";
  output: Json;
  error: unknown;
  ending: unknown;
  totalTokens: number | null;
  costUsd: number | null;
  usage: unknown;
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** A statement that took too long is asked so many times. */
const longTries = 2;

/**
 * The queue as one worker uses it. What can be asked twice is asked until there is an answer: a database may be
 * restarting. `isOver` ends that.
 */
export function createRunQueue(door: SqlDoor, isOver: () => boolean) {
  async function patiently(statement: WorkerStatement, parameters: readonly Parameter[]) {
    let tooLong = 0;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await door.ask(statement, parameters);
      } catch (error) {
        if (tookTooLong(error)) tooLong += 1;
        const mayAsk = error instanceof NoAnswer || (tooLong > 0 && tooLong < longTries);
        if (!mayAsk || isOver()) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async function answer<Answer>(
    schema: z.ZodMiniType<Answer>,
    statement: WorkerStatement,
    ...parameters: Parameter[]
  ): Promise<Answer> {
    const [row] = await patiently(statement, parameters);
    return schema.parse(row?.["answer"]);
  }

  /** Takes a run. Not asked again: a claim whose answer got lost ends with its lease. */
  async function take(
    statement: "nextRun" | "nextRunOf",
    parameters: readonly Parameter[],
  ): Promise<Claim | undefined> {
    const [row] = await door.ask(statement, parameters);
    if (!row) return undefined;
    const read = claimRow.safeParse(row);
    if (read.success) return { ok: true, run: read.data };
    return { ok: false, run: claimedRun.parse(row), reason: z.prettifyError(read.error) };
  }

  /** Of the prices that this process has taken. */
  let pricesKnown: number | null = null;

  return {
    /** Has this process price by what the operator has accepted by now. */
    async takePrices(): Promise<void> {
      const [row] = await patiently("modelPrices", [pricesKnown]);
      pricesKnown = takeStoredPrices(row?.["answer"]).revision;
    },

    /** The next run of anybody, or none. */
    claim: (worker: string) => take("nextRun", [worker, leaseMs]),

    /** The next run of an owner, or none. */
    claimOf: (worker: string, owner: string) => take("nextRunOf", [worker, leaseMs, owner]),

    /** `usd`: what the run has spent, without calls under way; null leaves that as it is. */
    append: ({ id, attempt }: HeldRun, events: string, usd: number | null): Promise<Appended> =>
      answer(appended, "append", id, attempt, events, leaseMs, usd),

    /**
     * Tells what a run has spent and what it has booked for calls under way, in US dollars, and books one more call (null: none).
     * Asking again changes nothing.
     */
    book: ({ id, attempt }: HeldRun, spentUsd: number, bookedUsd: number, cost: CallCost | null): Promise<BookAnswer> =>
      answer(bookAnswer, "book", id, attempt, spentUsd, bookedUsd, cost?.minUsd ?? null, cost?.maxUsd ?? null),

    /** Whether a run is under a limit in money, and whether these models without a known price may be called nevertheless. */
    checkUnknownPrices: ({ id }: HeldRun, models: readonly string[]) =>
      answer(
        z.object({ limited: z.boolean(), allowed: z.boolean() }),
        "checkUnknownPrices",
        id,
        JSON.stringify(models),
      ),

    finish: ({ id, attempt }: HeldRun, events: string, end: StoredEnd) =>
      answer(z.enum(["ok", "fenced"]), "finish", id, attempt, events, JSON.stringify(end)),

    ask: (
      { id, attempt }: HeldRun,
      wait: { callId: string; kind: "approval" | "form" | "time"; question: object; until: Date },
    ) =>
      answer(
        z.enum(["ok", "fenced"]),
        "ask",
        id,
        attempt,
        wait.callId,
        wait.kind,
        JSON.stringify(wait.question),
        wait.until.toISOString(),
      ),

    release: ({ id, attempt }: HeldRun, events: string, status: "waiting" | "queued") =>
      answer(z.enum(["waiting", "queued", "fenced"]), "release", id, attempt, events, status),

    /** Asked once: the next beat comes soon. */
    async beat(worker: string, concurrency: number, runs: readonly HeldRun[]) {
      const [row] = await door.ask("beat", [worker, concurrency, JSON.stringify(runs), leaseMs]);
      return beatAnswer.parse(row?.["answer"]);
    },

    /** The decisions about what a run has waited for, by call. */
    async answers(runId: string): Promise<Map<string, WaitDecision>> {
      const rows = await patiently("answers", [runId]);
      const parsed = z.array(z.object({ call_id: z.string(), decision: z.nullable(decision) })).parse(rows);
      return new Map(parsed.flatMap((row) => (row.decision === null ? [] : [[row.call_id, row.decision]])));
    },

    /** The stored events of a run, or of another of the same owner, in order. */
    async log(runId: string, source: string): Promise<RunEvent[]> {
      const all: RunEvent[] = [];
      for (;;) {
        const from = (all.at(-1)?.seq ?? -1) + 1;
        const rows = z.array(eventRow).parse(await patiently("log", [runId, source, from, pageSize]));
        all.push(...rows.map(({ event }) => event));
        if (rows.length < pageSize) return all;
      }
    },

    /** What another run of the same owner ran. */
    async source(runId: string, source: string) {
      const [row] = await patiently("source", [runId, source]);
      return row && sourceRow.parse(row);
    },
  };
}

export type RunQueue = ReturnType<typeof createRunQueue>;
