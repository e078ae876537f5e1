import { z } from "zod";
import type { Json } from "../engine/json.ts";
import { type ActivityService, runSources, ServiceError } from "../services/services.ts";
import { execute, query } from "./query.ts";
import type { SupabaseClient } from "./supabase-client.ts";

const bucket = z.object({
  at: z.number(),
  runs: z.number().default(0),
  failed: z.number().default(0),
  cancelled: z.number().default(0),
  costUsd: z.number().default(0),
  unpriced: z.number().default(0),
  visitors: z.number().default(0),
  durations: z.record(z.string(), z.number()),
  up: z.number().default(0),
  down: z.number().default(0),
});

const activity = z.object({
  name: z.string(),
  slug: z.string(),
  live: z.number().nullable(),
  buckets: z.array(bucket),
  errors: z.array(z.object({ code: z.string(), runs: z.number() })),
  tools: z.array(z.object({ name: z.string(), calls: z.number(), failed: z.number() })),
  visitors: z.number(),
});

const overview = z.array(
  z.object({
    workflowId: z.string(),
    name: z.string(),
    slug: z.string(),
    live: z.number().nullable(),
    runs: z.number(),
    failed: z.number(),
  }),
);

/** As it is stored, in an object. */
const input = z
  .object({ value: z.custom<Json>().optional() })
  .nullable()
  .transform((stored) => stored?.value ?? null);

const failedRuns = z.array(
  z.object({
    id: z.string(),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    source: z.enum(runSources),
    version: z.number().nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable().catch(null),
    input,
  }),
);

const feedback = z.array(
  z.object({ runId: z.string(), at: z.string(), rating: z.enum(["up", "down"]), comment: z.string(), input }),
);

const collector = z
  .object({
    url: z.string(),
    headerNames: z.array(z.string()),
    content: z.boolean(),
    sentAt: z.string().nullable(),
    problem: z.string().nullable(),
    waiting: z.number(),
  })
  .nullable();

function notPublished(): ServiceError {
  const hint = "Publish it first: activity is that of published versions.";
  return new ServiceError("not-found", "This workflow is not published.", hint);
}

/** How publications are doing: sums that the database keeps, and lists of failed runs and of feedback. */
export function createActivity({ database }: Pick<SupabaseClient, "database">): ActivityService {
  return {
    overview: (from) =>
      query("list what is published", overview, database.rpc("studio_activity_overview", { p_from: from })),

    async of(workflowId, { from, bucket: unit, timeZone }) {
      const answer = await database.rpc("studio_publication_activity", {
        p_workflow_id: workflowId,
        p_from: from,
        p_bucket: unit,
        p_time_zone: timeZone,
      });
      if (answer.error?.message.includes("not_published") === true) throw notPublished();
      return query("add up what has happened", activity, Promise.resolve(answer));
    },

    failedRuns: (workflowId, limit, before) =>
      query(
        "list the failed runs",
        failedRuns,
        database.rpc("studio_failed_runs", {
          p_workflow_id: workflowId,
          p_before: before ?? null,
          p_limit: limit,
        }),
      ),

    feedback: (workflowId, limit, before) =>
      query(
        "list the feedback",
        feedback,
        database.rpc("studio_feedback", { p_workflow_id: workflowId, p_before: before ?? null, p_limit: limit }),
      ),

    collector: (workflowId) =>
      query("look up where traces go", collector, database.rpc("studio_collector", { p_workflow_id: workflowId })),

    async saveCollector(workflowId, draft) {
      const answer = await database.rpc("studio_save_collector", {
        p_workflow_id: workflowId,
        p_url: draft?.url ?? null,
        p_headers: draft?.headers ?? null,
        p_content: draft?.content ?? false,
      });
      if (answer.error?.message.includes("not_published") === true) throw notPublished();
      await execute("change where traces go", Promise.resolve(answer));
    },
  };
}
