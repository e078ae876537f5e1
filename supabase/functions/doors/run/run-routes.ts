import { z } from "zod/mini";
import { openApiOf } from "../../../../src/doors/open-api.ts";
import { isJsonObject, type JsonObject } from "../../../../src/engine/json.ts";
import type { DoorCall, DoorRoute } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import { cancelRun, type DoorRun, findRun, followRun, isUnderWay } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import type { AnswerPlace } from "../../_shared/follow-answer.ts";
import { respondEvents, type StreamEvent } from "../../_shared/event-stream.ts";
import { interfaceOf } from "../../_shared/published-version.ts";
import { respondJson } from "../../_shared/respond.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import { type ApiKey, openWithKey } from "./api-key.ts";
import { findRunnable } from "./publication.ts";
import { shownRun } from "./shown-run.ts";
import { startRoute, toldAnswer } from "./start-route.ts";

/** The run that the path names, if it is the key's own or the key may read all. Throws DoorProblem. */
async function runOf(call: DoorCall, context: FunctionContext): Promise<{ key: ApiKey; run: DoorRun }> {
  const key = await openWithKey(call, context);
  const id = z.uuid().safeParse(call.params["id"]);
  const run = id.success ? await findRun(context.supabase, id.data) : null;
  if (run === null || run.owner !== key.owner || !(key.mayReadRuns || run.keyId === key.id)) {
    throw new DoorProblem(problems.notFound("run"));
  }
  return { key, run };
}

/** `GET /api/runs/<id>`: how a run stands; what it asks, for keys that may approve. */
const statusRoute: DoorRoute = {
  method: "GET",
  path: "/api/runs/:id",
  async handle(call, context) {
    const { key, run } = await runOf(call, context);
    const questions = key.mayApprove && isUnderWay(run.status) ? await questionsOf(context.supabase, run.id) : null;
    return respondJson({ ...(await shownRun(run, context.environment)), ...(questions === null ? {} : { questions }) });
  },
};

/**
 * `GET /api/runs/<id>/events`: server-sent events until the run has ended, after `Last-Event-ID`; with `?follow=false` only those
 * that there are. Keys that may read all runs get
 * the run's own events, other keys what a caller is told.
 */
const eventsRoute: DoorRoute = {
  method: "GET",
  path: "/api/runs/:id/events",
  async handle(call, context) {
    const { key, run } = await runOf(call, context);
    call.takeStream({ key: key.id, run: run.id });
    const { supabase } = context;
    const after = lastEventId(call);
    const { signal } = call.request;
    const told = key.mayReadRuns
      ? rawEvents(context, run.id, after.seq, signal)
      : toldAnswer(
          context,
          run.id,
          (await interfaceOf(supabase, run.workflowId, run.version ?? 0)).answering,
          after,
          signal,
        );
    return respondEvents(call.url.searchParams.get("follow") === "false" ? soFar(told) : told);
  },
};

/** What there is now: a run's status is told after everything that it has recorded. */
async function* soFar(events: AsyncGenerator<StreamEvent>): AsyncGenerator<StreamEvent> {
  for await (const event of events) {
    yield event;
    if (event.event === "status") return;
  }
}

/** As ids are written by `toldAnswer`, or the number of an event. */
function lastEventId(call: DoorCall): AnswerPlace {
  const given = call.request.headers.get("last-event-id") ?? call.url.searchParams.get("after") ?? "";
  const [, seq, upTo] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(given) ?? [];
  if (seq === undefined) return { seq: -1 };
  return { seq: Number(seq), ...(upTo === undefined ? {} : { upTo: Number(upTo) }) };
}

async function* rawEvents(
  { supabase, environment }: FunctionContext,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  for await (const news of followRun(supabase, id, after, signal)) {
    if (news.kind === "event") yield { id: String(news.event.seq), event: news.event.type, data: news.event };
    if (news.kind === "status") yield { event: "status", data: { status: news.status } };
    if (news.kind === "end") yield { event: "end", data: await shownRun(news.run, environment) };
  }
}

/** `POST /api/runs/<id>/cancel`: asks for the end of a run that the key started. */
const cancelRoute: DoorRoute = {
  method: "POST",
  path: "/api/runs/:id/cancel",
  async handle(call, context) {
    const { key, run } = await runOf(call, context);
    if (run.keyId !== key.id && !key.mayRun(run.slug)) throw new DoorProblem(notAllowed("run this workflow"));
    await cancelRun(context.supabase, run.id);
    const now = await findRun(context.supabase, run.id);
    return respondJson(await shownRun(now ?? run, context.environment));
  },
};

const decisionSchema = z.strictObject({
  callId: z.string().check(z.minLength(1), z.maxLength(300)),
  approved: z.boolean(),
  input: z.optional(z.record(z.string(), z.json())),
  reason: z.optional(z.string().check(z.maxLength(2_000))),
});

/** `POST /api/runs/<id>/decide`: answers what a run asks, `{ callId, approved, input?, reason? }`; 409 where it is too late. */
const decideRoute: DoorRoute = {
  method: "POST",
  path: "/api/runs/:id/decide",
  async handle(call, context) {
    const { key, run } = await runOf(call, context);
    if (!key.mayApprove) throw new DoorProblem(notAllowed("approve"));
    const parsed = decisionSchema.safeParse(await call.readJson(1024 * 1024));
    if (!parsed.success) {
      throw new DoorProblem(problems.badRequest('Send { "callId": "…", "approved": true | false, "reason": "…" }.'));
    }
    const { callId, ...decision } = parsed.data;
    const asked = { p_run_id: run.id, p_call_id: callId, p_decision: decision };
    const answer = await context.supabase.callAsService("studio_door_decide", asked);
    if (answer === "unknown") throw new DoorProblem(problems.notFound("question"));
    if (answer !== "decided") {
      const detail = "The question was answered elsewhere, has expired, or its run has ended.";
      throw new DoorProblem({ status: 409, code: "already_decided", title: "Already decided", detail });
    }
    return respondJson({ id: run.id, callId, approved: decision.approved });
  },
};

async function questionsOf(supabase: SupabaseClient, id: string): Promise<unknown[]> {
  const found = await supabase.callAsService("studio_door_questions", { p_run_id: id }, "reads");
  return questionsSchema.parse(found).map(({ callId, kind, question, expiresAt }) => ({
    callId,
    kind,
    tool: question["toolName"] ?? null,
    input: question["input"] ?? null,
    ...(isJsonObject(question["form"]) ? { form: question["form"] } : {}),
    expiresAt,
  }));
}

const questionsSchema = z.array(
  z.object({
    callId: z.string(),
    kind: z.string(),
    question: z.custom<JsonObject>((value) => isJsonObject(value)),
    expiresAt: z.nullable(z.string()),
  }),
);

function notAllowed(what: string): Problem {
  return { status: 403, code: "forbidden", title: "Forbidden", detail: `This API key may not ${what}.` };
}

/** `GET /api/run/<slug>/openapi.json`: what the live version takes and gives, as an OpenAPI document. */
const openApiRoute: DoorRoute = {
  method: "GET",
  path: "/api/run/:slug/openapi.json",
  async handle(call, context) {
    const key = await openWithKey(call, context);
    const {
      door,
      version,
      interface: published,
    } = await findRunnable(call.params["slug"] ?? "", key, context.supabase);
    const { slug, name } = door;
    return respondJson(openApiOf({ slug, name, version, inputSchema: published.inputSchema }));
  },
};

export const runRoutes: readonly DoorRoute[] = [
  startRoute,
  statusRoute,
  eventsRoute,
  cancelRoute,
  decideRoute,
  openApiRoute,
];
