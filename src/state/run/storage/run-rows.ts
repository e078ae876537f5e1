import { z } from "zod/mini";
import type { Json } from "../../../engine/json.ts";
import { type RunErrorData, runErrorCodes } from "../../../engine/errors.ts";
import { withoutReferences } from "../../../engine/run/stored-events.ts";
import {
  type ConversationRun,
  type CostSum,
  type ListedRun,
  type Retention,
  type RunCosts,
  runSources,
  type RunSummary,
} from "../../../services/services.ts";
import { runEnding, runStatus } from "./run-outcome.ts";

const json = z.json() as z.ZodMiniType<Json>;

const errorData: z.ZodMiniType<RunErrorData> = z.object({
  code: z.enum(runErrorCodes),
  message: z.string(),
  hint: z.string(),
  retryable: z.boolean(),
  nodeId: z.optional(z.string()),
  retryAfterMs: z.optional(z.number()),
  cause: z.optional(json),
});

/**
 * Any JSON value as a jsonb column takes it from every PostgREST: the embedded one reads a plain text as JSON source, and
 * so refuses most.
 */
const carried = z.object({ value: json });

/** A value as it is written. */
export function asRow(value: Json): z.infer<typeof carried> {
  return { value };
}

const summaryFields = z.object({
  id: z.string(),
  workflow_id: z.string(),
  status: runStatus,
  input: z.catch(carried, { value: null }),
  output: z.catch(z.nullable(carried), null),
  error: z.catch(z.nullable(errorData), null),
  ending: z.catch(z.nullable(runEnding), null),
  total_tokens: z.nullable(z.number()),
  // Postgres's numeric comes as a number or, to keep every digit, as text.
  cost_usd: z.nullable(z.coerce.number()),
  started_at: z.string(),
  ended_at: z.nullable(z.string()),
  forked_from: z.catch(
    z.nullable(z.object({ runId: z.string(), seq: z.optional(z.number()), callId: z.optional(z.string()) })),
    null,
  ),
  source: z.enum(runSources),
  is_trial: z.boolean(),
  published_version: z.nullable(z.number()),
  attempt: z.number(),
  worker: z.nullable(z.string()),
  cancel_requested_at: z.nullable(z.string()),
});

function toSummary(row: z.infer<typeof summaryFields>): RunSummary {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    status: row.status,
    source: row.source,
    isTrial: row.is_trial,
    server:
      row.published_version === null
        ? null
        : {
            version: row.published_version,
            attempt: row.attempt,
            worker: row.worker,
            cancelRequested: row.cancel_requested_at !== null,
          },
    input: row.input.value,
    output: row.output?.value ?? null,
    error: row.error,
    ending: row.ending,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    forkedFrom: row.forked_from,
  };
}

/** The columns that `summaryRow` reads. */
export const summaryColumns =
  "id,workflow_id,status,input,output,error,ending,total_tokens,cost_usd,started_at,ended_at,forked_from,source,is_trial,published_version,attempt,worker,cancel_requested_at";

export const summaryRow = z.pipe(summaryFields, z.transform(toSummary));

export const listedRow = z.pipe(
  z.extend(summaryFields, { workflow_name: z.string() }),
  z.transform((row): ListedRun => {
    const summary = toSummary(row);
    return { ...summary, input: withoutReferences(summary.input), workflowName: row.workflow_name };
  }),
);

export const conversationRow = z.pipe(
  z.object({
    id: z.string(),
    status: z.enum(["completed", "failed", "cancelled", "interrupted"]),
    started_at: z.string(),
    question: z.nullable(z.string()),
    output: z.catch(z.nullable(json), null),
    error: z.catch(z.nullable(errorData), null),
    is_remembered: z.boolean(),
  }),
  z.transform(({ started_at: startedAt, is_remembered: isRemembered, ...row }): ConversationRun => ({
    ...row,
    startedAt,
    isRemembered,
  })),
);

export const retentionRow = z.pipe(
  z.object({ value: z.object({ keepDays: z.nullable(z.number()), keepRuns: z.nullable(z.number()) }) }),
  z.transform((row): Retention => row.value),
);

export const costRow = z.pipe(
  z.object({
    axis: z.enum(["total", "day", "workflow", "model"]),
    key: z.nullable(z.string()),
    name: z.string(),
    provider: z.string(),
    merged: z.coerce.number(),
    runs: z.coerce.number(),
    calls: z.coerce.number(),
    unpriced_calls: z.coerce.number(),
    input_tokens: z.coerce.number(),
    output_tokens: z.coerce.number(),
    cost_usd: z.coerce.number(),
  }),
  z.transform(({ axis, unpriced_calls, input_tokens, output_tokens, cost_usd, ...row }) => ({
    axis,
    sum: {
      ...row,
      unpricedCalls: unpriced_calls,
      inputTokens: input_tokens,
      outputTokens: output_tokens,
      costUsd: cost_usd,
    },
  })),
);

const nothing: CostSum = {
  key: "",
  name: "",
  provider: "",
  merged: 1,
  costUsd: 0,
  unpricedCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  calls: 0,
  runs: 0,
};

/** The rows of all axes, apart. */
export function toCosts(rows: readonly z.infer<typeof costRow>[]): RunCosts {
  const along = (wanted: string) => rows.flatMap(({ axis, sum }) => (axis === wanted ? [sum] : []));
  const [total = nothing] = along("total");
  return { total, days: along("day"), workflows: along("workflow"), models: along("model") };
}
