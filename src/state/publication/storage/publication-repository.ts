import { z } from "zod/mini";
import { secretPlaces } from "../../../engine/credentials/secret-places.ts";
import { readDocument } from "../../../engine/document/read-document.ts";
import {
  type LiveWay,
  liveWays,
  type Publication,
  type PublicationRepository,
  type PublishedVersion,
  type ScheduledTrigger,
  ServiceError,
} from "../../../services/services.ts";
import { execute, query } from "../../shared/storage/query.ts";
import { largestPage } from "../../shared/storage/read-pages.ts";
import { lastRun } from "../../run/storage/run-outcome.ts";
import { rememberedSuites } from "../../document/storage/remembered-suites.ts";
import { type SealSecrets, sealLater } from "../../shared/storage/seal-secrets.ts";
import type { SupabaseClient } from "../../shared/storage/supabase-client.ts";

const limit = z.catch(z.optional(z.number().check(z.positive())), undefined);

const publicationRow = z.pipe(
  z.object({
    workflow_id: z.string(),
    slug: z.string(),
    live: z.nullable(z.number()),
    staging: z.nullable(z.number()),
    limits: z.object({
      concurrent: limit,
      perMinute: limit,
      timeoutSeconds: limit,
      runUsd: limit,
      dayUsd: limit,
      monthUsd: limit,
      inputMb: limit,
      senderPerDay: limit,
      senderMbPerDay: limit,
    }),
    share_notice: z.nullable(z.object({ text: z.string(), at: z.number() })),
    unknown_prices: z.nullable(z.array(z.string())),
  }),
  z.transform(({ workflow_id, share_notice, unknown_prices, ...row }): Publication => ({
    workflowId: workflow_id,
    notice: share_notice,
    uncounted: unknown_prices ?? [],
    ...row,
  })),
);

const versionRow = z.pipe(
  z.object({
    version: z.number(),
    hash: z.string(),
    note: z.string(),
    revision: z.nullable(z.number()),
    published_at: z.string(),
    marks_callers: z.boolean(),
    suites: rememberedSuites,
  }),
  z.transform(({ published_at, marks_callers, ...row }): PublishedVersion => ({
    ...row,
    publishedAt: published_at,
    marksCallers: marks_callers,
  })),
);

const triggerRow = z.pipe(
  z.object({
    id: z.string(),
    node_id: z.string(),
    cron: z.string(),
    time_zone: z.string(),
    missed: z.enum(["skip", "once"]),
    enabled: z.boolean(),
    next_at: z.nullable(z.string()),
    last_at: z.nullable(z.string()),
    skipped_at: z.nullable(z.string()),
    problem: z.nullable(z.string()),
    start_problem: z.nullable(z.string()),
    refused_at: z.nullable(z.string()),
    last_run: z.nullable(z.extend(lastRun, { error: z.nullable(z.string()) })),
  }),
  z.transform((row): ScheduledTrigger => ({
    id: row.id,
    nodeId: row.node_id,
    cron: row.cron,
    timeZone: row.time_zone,
    missed: row.missed,
    enabled: row.enabled,
    nextAt: row.next_at,
    lastAt: row.last_at,
    skippedAt: row.skipped_at,
    problem: row.problem,
    refused:
      row.start_problem === null || row.refused_at === null ? null : { at: row.refused_at, reason: row.start_problem },
    lastRun: row.last_run,
  })),
);

const failureRow = z.object({
  on_failure: z.nullable(z.object({ workflowId: z.optional(z.string()), url: z.optional(z.string()) })),
  on_failure_problem: z.nullable(z.string()),
});

const liveRow = z.object({ workflow_id: z.string(), slug: z.string(), live: z.number() });

const workflowRow = z.object({ workflow_id: z.string() });

const wayRow = z.object({ workflow_id: z.string(), kind: z.enum(liveWays), enabled: z.boolean() });

/** An address holds this many ids well. */
const idsPerRequest = 100;

const liveDocumentRow = z.object({ document: z.unknown(), workflows: z.record(z.string(), z.unknown()) });

const readable = (read: ReturnType<typeof readDocument>) => (read.ok ? [read.document] : []);

const published = z.object({ version: z.number(), slug: z.string(), unchanged: z.boolean() });

/** Programs may call what is live unless that was switched off; the other ways in are switched on. */
function waysOf(rows: readonly { kind: LiveWay; enabled: boolean }[]): LiveWay[] {
  const isOn = (way: LiveWay) => rows.filter(({ kind }) => kind === way).map(({ enabled }) => enabled);
  return liveWays.filter((way) => (way === "api" ? !isOn(way).includes(false) : isOn(way).includes(true)));
}

/** Publications in `studio_publications`, `studio_published` and `studio_triggers`; rows are written by functions alone. */
export function createPublicationRepository(
  { database }: Pick<SupabaseClient, "database">,
  seal: SealSecrets = sealLater,
): PublicationRepository {
  const versionRows = () => database.from("studio_published");

  return {
    async find(workflowId) {
      const [found] = await query(
        "look up whether the workflow is published",
        z.array(publicationRow),
        database
          .from("studio_publications")
          .select("workflow_id,slug,live,staging,limits,share_notice,unknown_prices")
          .eq("workflow_id", workflowId),
      );
      return found;
    },

    async liveWays(workflowIds) {
      const what = "look up what is live";
      const found: Record<string, LiveWay[]> = {};
      for (let start = 0; start < workflowIds.length; start += idsPerRequest) {
        const asked = workflowIds.slice(start, start + idsPerRequest);
        const published = database.from("studio_publications").select("workflow_id").not("live", "is", null);
        const rows = await query(what, z.array(workflowRow), published.in("workflow_id", asked));
        const live = rows.map((row) => row.workflow_id);
        if (live.length === 0) continue;
        const waysIn = (table: "studio_doors" | "studio_triggers") =>
          query(
            what,
            z.array(wayRow),
            database.from(table).select("workflow_id,kind,enabled").in("workflow_id", live).limit(largestPage),
          );
        const ways = (await Promise.all([waysIn("studio_doors"), waysIn("studio_triggers")])).flat();
        for (const id of live) found[id] = waysOf(ways.filter((row) => row.workflow_id === id));
      }
      return found;
    },

    async versions(workflowId, request) {
      const most = Math.min(request.limit, largestPage);
      const all = versionRows()
        .select("version,hash,note,revision,published_at,marks_callers,suites")
        .eq("workflow_id", workflowId);
      const rest = typeof request.after === "number" ? all.lt("version", request.after) : all;
      const found = await query(
        "list the published versions",
        z.array(versionRow),
        rest.order("version", { ascending: false }).limit(most + 1),
      );
      const rows = found.slice(0, most);
      return { rows, next: found.length > most ? (rows.at(-1)?.version ?? null) : null };
    },

    async document(workflowId, version) {
      const rows = await query(
        "open the published version",
        z.array(z.object({ document: z.unknown() })),
        versionRows().select("document").eq("workflow_id", workflowId).eq("version", version),
      );
      const read = readDocument(rows[0]?.document);
      if (read.ok) return read.document;
      throw new ServiceError("not-found", "This published version cannot be read.", read.problems.join(" "));
    },

    async liveDocuments(slugs) {
      const what = "look up what is live";
      const all = database.from("studio_publications").select("workflow_id,slug,live").not("live", "is", null);
      const chosen = slugs === null ? all : all.in("slug", [...slugs]);
      const live = await query(what, z.array(liveRow), chosen.limit(largestPage));
      return Promise.all(
        live.map(async ({ workflow_id, slug, live: version }) => {
          const rows = versionRows().select("document,workflows").eq("workflow_id", workflow_id).eq("version", version);
          const [row] = await query(what, z.array(liveDocumentRow), rows);
          const stored = row ? [row.document, ...Object.values(row.workflows)] : [];
          return { slug, documents: stored.flatMap((one) => readable(readDocument(one))) };
        }),
      );
    },

    freeSlug: (slug) =>
      query("look for a free address", z.string(), database.rpc("studio_free_slug", { p_slug: slug })),

    async publish({ bundle, slug, note, revision, target }) {
      const answer = await database.rpc("studio_publish", {
        p_workflow_id: bundle.document.id,
        p_document: bundle.document,
        p_workflows: bundle.workflows,
        p_hash: bundle.hash,
        p_schedules: bundle.schedules,
        p_slug: slug,
        p_note: note,
        p_revision: revision,
        p_target: target,
      });
      if (answer.error?.message.includes("slug_taken") === true) {
        const hint = "Addresses are unique in the whole studio. Choose another one.";
        throw new ServiceError("conflict", `The address "${slug}" belongs to another workflow.`, hint);
      }
      return query("publish the workflow", published, Promise.resolve(answer));
    },

    point: (workflowId, target, version) =>
      execute(
        version === null ? "unpublish the workflow" : "change the published version",
        database.rpc("studio_point", { p_workflow_id: workflowId, p_target: target, p_version: version }),
      ),

    async unmarkedLive() {
      const what = "look up whose words callers send";
      const [live, unmarked] = await Promise.all([
        query(
          what,
          z.array(z.object({ workflow_id: z.string(), slug: z.string(), live: z.number() })),
          database.from("studio_publications").select("workflow_id,slug,live").not("live", "is", null),
        ),
        query(
          what,
          z.array(z.object({ workflow_id: z.string(), version: z.number() })),
          versionRows().select("workflow_id,version").eq("marks_callers", false),
        ),
      ]);
      const isUnmarked = new Set(unmarked.map(({ workflow_id, version }) => `${workflow_id} ${version}`));
      return live.flatMap(({ workflow_id: workflowId, slug, live: version }) =>
        isUnmarked.has(`${workflowId} ${version}`) ? [{ workflowId, slug, version }] : [],
      );
    },

    markCallers: (workflowId, version) =>
      execute(
        "change whose words callers send",
        database.rpc("studio_mark_callers", { p_workflow_id: workflowId, p_version: version }),
      ),

    async setLimits(workflowId, limits) {
      const what = "change the limits";
      // One function sets both; who is told of failures stays as it is.
      const own = database.from("studio_publications").select("on_failure").eq("workflow_id", workflowId);
      const [row] = await query(what, z.array(z.object({ on_failure: z.unknown() })), own);
      const parameters = { p_workflow_id: workflowId, p_limits: limits, p_on_failure: row?.on_failure ?? null };
      await execute(what, database.rpc("studio_set_publication", parameters));
    },

    async failureTarget(workflowId) {
      const own = database.from("studio_publications").select("on_failure,on_failure_problem");
      const [row] = await query(
        "look up who is told of failures",
        z.array(failureRow),
        own.eq("workflow_id", workflowId),
      );
      const { on_failure: target, on_failure_problem: problem } = row ?? { on_failure: null, on_failure_problem: null };
      return { workflowId: target?.workflowId ?? null, url: target?.url ?? null, problem };
    },

    async setFailureTarget(workflowId, { workflowId: told, url }) {
      const what = "change who is told of failures";
      // One function sets both; the limits stay as they are.
      const own = database.from("studio_publications").select("limits").eq("workflow_id", workflowId);
      const [row] = await query(what, z.array(z.object({ limits: z.unknown() })), own);
      const target = { ...(told === null ? {} : { workflowId: told }), ...(url === null ? {} : { url }) };
      await execute(
        what,
        database.rpc("studio_set_publication", {
          p_workflow_id: workflowId,
          p_limits: row?.limits ?? {},
          p_on_failure: told === null && url === null ? null : target,
        }),
      );
    },

    async setFailureSecret(workflowId, secret) {
      const place = secretPlaces.failures;
      const sealed = secret === null ? null : ((await seal(workflowId, { [place]: secret }))[place] ?? secret);
      await execute(
        "change the secret of the webhook for failures",
        database.rpc("studio_set_failure_secret", { p_workflow_id: workflowId, p_secret: sealed }),
      );
    },

    schedules: (workflowId) =>
      query("list the schedules", z.array(triggerRow), database.rpc("studio_schedules", { p_workflow_id: workflowId })),

    switchSchedule: (id, enabled) =>
      execute("switch the schedule", database.rpc("studio_switch_trigger", { p_trigger_id: id, p_enabled: enabled })),
  };
}
