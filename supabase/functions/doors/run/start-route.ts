import type { PublishedInterface } from "../../../../src/doors/published-interface.ts";
import { isJsonObject, type JsonObject } from "../../../../src/engine/json.ts";
import { isMessage } from "../../../../src/engine/model/attachments.ts";
import { type DoorCall, type DoorRoute, sha256 } from "../../_shared/door.ts";
import { DoorProblem, problems } from "../../_shared/door-problem.ts";
import { type DoorRun, followRun } from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import { respondEvents, type StreamEvent } from "../../_shared/event-stream.ts";
import { type AnswerPlace, followAnswer } from "../../_shared/follow-answer.ts";
import { respondJson } from "../../_shared/respond.ts";
import type { InputWithFiles } from "../../_shared/files/attached.ts";
import { discardFiles } from "../../_shared/files/door-files.ts";
import { startWithFiles } from "../../_shared/start-with-files.ts";
import type { SupabaseClient } from "../../_shared/supabase-client.ts";
import { type ApiKey, openWithKey } from "./api-key.ts";
import { findRunnable, type RunnableVersion } from "./publication.ts";
import { readRunInput } from "./read-run-input.ts";
import { withOwnSession } from "./sessions.ts";
import { shownRun, urlOfRun } from "./shown-run.ts";
import { runHeader } from "../../../../src/engine/studio-headers.ts";

/** How long one request waits for the end, by default and at most. */
const longestWaitSeconds = 100;

/**
 * `POST /api/run/<slug>[@version]`: starts a run with the body as its input. Waits for its end (200, or 502 where it failed);
 * 202 with the run's address after 100 seconds, with `Prefer: wait=<seconds>` sooner, with `Prefer: respond-async` at once.
 * With `Accept: text/event-stream` what happens is told as it happens.
 */
export const startRoute: DoorRoute = {
  method: "POST",
  path: "/api/run/:slug",
  async handle(call, context) {
    const { supabase } = context;
    const key = await openWithKey(call, context);
    const runnable = await findRunnable(call.params["slug"] ?? "", key, supabase);
    const isStream = accepts(call, "text/event-stream");
    const wait = waitSeconds(call);
    const follows = isStream || wait > 0;
    if (follows) call.takeStream({ key: key.id });
    const { id } = await start(call, key, runnable, context);
    call.share.giveBack();
    call.setHeader(runHeader, id);
    if (follows) call.takeStream({ run: id });
    if (isStream) {
      return respondEvents(toldAnswer(context, id, runnable.interface.answering, { seq: -1 }, call.request.signal));
    }
    if (wait === 0) call.setHeader("preference-applied", "respond-async");
    const run = wait === 0 ? null : await untilEnd(supabase, id, wait, call.request.signal);
    if (run === null) {
      const body = {
        id,
        workflow: runnable.door.slug,
        version: runnable.version,
        status: "running",
        url: urlOfRun(id),
      };
      return respondJson(body, 202, { location: urlOfRun(id), "retry-after": "2" });
    }
    return respondJson(await shownRun(run, context.environment), run.status === "completed" ? 200 : 502);
  },
};

async function start(
  call: DoorCall,
  key: ApiKey,
  { door, version, interface: published }: RunnableVersion,
  context: FunctionContext,
): Promise<{ id: string }> {
  const sender = { kind: "key", name: key.id } as const;
  const idempotencyKey = await keyOfRun(call, key);
  const given = await readRunInput(call, published, { door, sender, idempotencyKey }, context);
  try {
    const { input, session } = await ownInput(given, key, published, idempotencyKey);
    const start = {
      publication: door,
      target: String(version),
      source: "api",
      keyId: key.id,
      idempotencyKey,
      subject: session,
      sender,
    } as const;
    return await startWithFiles(context, input, start, call.request.signal);
  } catch (error) {
    await discardFiles(context, door.owner, given.stored ?? []);
    throw error;
  }
}

/** The input in a session of the key's own. Throws DoorProblem where it is no message and has to be one. */
async function ownInput(
  given: InputWithFiles,
  key: ApiKey,
  published: PublishedInterface,
  idempotencyKey: string | undefined,
): Promise<{ input: InputWithFiles; session: string | undefined }> {
  const { files, stored = [] } = given;
  const check = given.with([...stored, ...files].map(({ name }) => ({ name })));
  if (published.takesMessages && !isMessage(check)) {
    throw new DoorProblem(problems.badRequest('Send a message, { "message": "…" }, or files.'));
  }
  const { session } = await withOwnSession(check, key, published, idempotencyKey);
  const own: JsonObject = {
    // Without one it would be no message to the workflow's triggers.
    ...(published.takesMessages && isJsonObject(check) && !("message" in check) && { message: "" }),
    ...(session !== undefined && { sessionId: session }),
  };
  const input: InputWithFiles = {
    ...given,
    with(values) {
      const whole = given.with(values);
      return isJsonObject(whole) ? { ...whole, ...own } : whole;
    },
  };
  return { input, session };
}

async function keyOfRun(call: DoorCall, key: ApiKey): Promise<string | undefined> {
  const given = call.request.headers.get("idempotency-key");
  if (given === null) return undefined;
  if (given.length === 0 || given.length > 255) {
    throw new DoorProblem(problems.badRequest("Idempotency-Key takes 1 to 255 characters."));
  }
  return `api ${await sha256(`${key.id} ${given}`)}`;
}

/** Whether a call asks for this type. */
export function accepts(call: DoorCall, type: string): boolean {
  return (call.request.headers.get("accept") ?? "").toLowerCase().includes(type);
}

function waitSeconds(call: DoorCall): number {
  const prefer = call.request.headers.get("prefer")?.toLowerCase() ?? "";
  if (/\brespond-async\b/.test(prefer)) return 0;
  const asked = /\bwait=(\d{1,4})\b/.exec(prefer)?.[1];
  return Math.min(longestWaitSeconds, asked === undefined ? longestWaitSeconds : Number(asked));
}

async function untilEnd(
  supabase: SupabaseClient,
  id: string,
  seconds: number,
  caller: AbortSignal,
): Promise<DoorRun | null> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(seconds * 1_000)]);
  for await (const news of followRun(supabase, id, -1, signal)) {
    if (news.kind === "end") return news.run;
  }
  return null;
}

/**
 * A run as its caller is told of it: `status`, `text`, `tool` and `end`. Ids are places in the run's log; of text, with the
 * characters that were said so far: `12-340`.
 */
export async function* toldAnswer(
  { supabase, environment }: FunctionContext,
  id: string,
  answering: readonly string[],
  after: AnswerPlace,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  if (after.seq < 0) yield { event: "run", data: { id, url: urlOfRun(id) } };
  for await (const news of followAnswer(supabase, id, answering, signal, after)) {
    switch (news.kind) {
      case "status":
        yield { event: "status", data: { status: news.status } };
        break;
      case "text":
        yield { id: `${news.seq}-${news.upTo}`, event: "text", data: { text: news.text } };
        break;
      case "tool": {
        const { callId, name, state } = news;
        yield { id: String(news.seq), event: "tool", data: { callId, name, state } };
        break;
      }
      case "end":
        yield { event: "end", data: await shownRun(news.run, environment) };
        break;
      default:
        news satisfies never;
    }
  }
}
