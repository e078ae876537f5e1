import { z } from "zod/mini";
import { isJsonObject, type Json } from "../../../src/engine/json.ts";
import { secretPlaces } from "../../../src/engine/credentials/secret-places.ts";
import { doorLimits, inputSize } from "../../../src/doors/door-limits.ts";
import type { LiveText } from "../../../src/doors/live-news.ts";
import type { FileValue } from "../../../src/engine/file/file.ts";
import { runErrorCodes } from "../../../src/engine/errors.ts";
import type { RunEvent } from "../../../src/engine/run/events.ts";
import { EventUnpacker } from "../../../src/engine/run/stored-events.ts";
import type { DoorKind, DoorSource } from "../../../src/engine/trust/run-sources.ts";
import { DoorProblem, type Problem, problems } from "./door-problem.ts";
import { openAll } from "./door-secrets.ts";
import type { FunctionContext } from "./endpoint.ts";
import { openLiveNews } from "./live-news-reader.ts";
import { checkedSize, shareOf, shareProblem, type StartRefusal, startRefusal } from "./sender-shares.ts";
import { createSharedReads } from "./shared-reads.ts";
import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";

const json = z.json() as z.ZodMiniType<Json>;

/** A secret that is no text opens nothing. */
function onlyTexts(secrets: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** A publication with one kind of its doors. */
export const doorSchema = z.object({
  workflowId: z.string(),
  owner: z.string(),
  slug: z.string(),
  name: z.string(),
  live: z.nullable(z.number()),
  staging: z.nullable(z.number()),
  /** Null where the door was never set up. */
  enabled: z.nullable(z.boolean()),
  /** As it is stored; its form is the kind's own. */
  config: z.record(z.string(), z.unknown()),
  /** As they are stored: to be opened by `withOpenSecrets`. */
  secrets: z.pipe(z.record(z.string(), z.unknown()), z.transform(onlyTexts)),
  /** Of the publication. */
  limits: z.pipe(z.unknown(), z.transform(doorLimits)),
});
export type Door = z.infer<typeof doorSchema>;

/** The publication that a slug or a workflow's id names; null where nothing is published under it. */
export async function findDoor(supabase: SupabaseClient, publication: string, kind: DoorKind): Promise<Door | null> {
  const found = { p_publication: publication, p_kind: kind };
  return z.nullable(doorSchema).parse(await supabase.callAsService("studio_read_door", found, "reads"));
}

/** A door whose secrets can be compared with what callers bring. */
export async function withOpenSecrets(context: FunctionContext, door: Door, kind: DoorKind): Promise<Door> {
  const { owner, workflowId, secrets } = door;
  const placeOf = (name: string) => secretPlaces.door(kind, name);
  return { ...door, secrets: await openAll(context, { store: "doors", owner, workflowId }, secrets, placeOf) };
}

/** What a door starts. */
export interface DoorStart {
  publication: Pick<Door, "workflowId" | "limits">;
  /** `live`, `staging`, or a version's number. */
  target: string;
  input: Json;
  source: DoorSource;
  triggerId?: string | undefined;
  keyId?: string | undefined;
  /** The same key of the same door starts the same run. Whoever gives it has put into it whose it is. At most 255 characters. */
  idempotencyKey?: string | undefined;
  /** For whom, within the publication; at most 500 characters. */
  subject?: string | undefined;
  /** Who uses up a share of the day with it: the API key that the call came with, or else the network that it came from. */
  sender: { kind: "key" | "network"; name: string };
  /** Set where the door has held the request's own bytes against the limit, since the input says them in another form. */
  isSizeChecked?: boolean | undefined;
  /** Files in the input that were stored for it. Their bytes count with it, unless they counted as they came. */
  files?: readonly FileValue[] | undefined;
  areFilesCounted?: boolean | undefined;
}

const startedRun = z.object({ id: z.string(), status: z.string(), isNew: z.boolean() });

/** Starts a run, within the limits of its publication, its key and its sender. Throws DoorProblem. */
export async function startRun(supabase: SupabaseClient, start: DoorStart): Promise<z.infer<typeof startedRun>> {
  const { limits, workflowId } = start.publication;
  const size = start.isSizeChecked === true ? inputSize(start.input).total : checkedSize(start.input, limits);
  const begin = supabase.callAsService("studio_door_begin", {
    p_workflow_id: workflowId,
    p_target: start.target,
    p_input: { value: start.input },
    p_source: start.source,
    p_key: start.idempotencyKey ?? null,
    p_trigger_id: start.triggerId ?? null,
    p_api_key_id: start.keyId ?? null,
    p_subject: start.subject ?? null,
    p_senders: await sendersOf(start),
    p_bytes: size + uncountedBytes(start),
    p_files: (start.files ?? []).map(({ $file }) => $file),
  });
  return begun(begin, startedRun);
}

/** A delivery of a webhook, of which the size has been checked and the key is known. */
interface DeliveryStart extends Pick<DoorStart, "publication" | "input" | "sender" | "files" | "areFilesCounted"> {
  delivery: { key: string; body: string | null; lasts: "day" | "secret" };
}

/** `status` is null where the run of a known delivery is gone; `isSame` says whether a known one came with this body. */
const startedDelivery = z.object({ ...startedRun.shape, status: z.nullable(z.string()), isSame: z.boolean() });

/** As `startRun`, unless the delivery started a run before. */
export async function startDelivery(
  supabase: SupabaseClient,
  start: DeliveryStart,
): Promise<z.infer<typeof startedDelivery>> {
  const begin = supabase.callAsService("studio_hook_begin", {
    p_workflow_id: start.publication.workflowId,
    p_delivery: start.delivery,
    p_input: { value: start.input },
    p_senders: await sendersOf(start),
    p_bytes: inputSize(start.input).total + uncountedBytes(start),
    p_files: (start.files ?? []).map(({ $file }) => $file),
  });
  return begun(begin, startedDelivery);
}

function uncountedBytes({ files = [], areFilesCounted }: Pick<DoorStart, "files" | "areFilesCounted">): number {
  if (areFilesCounted === true) return 0;
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** The sender of a start, as the database counts it. */
export async function sendersOf({ publication: { limits }, sender }: Pick<DoorStart, "publication" | "sender">) {
  return [await shareOf(sender, { messages: limits.senderMessages, bytes: limits.senderBytes })];
}

async function begun<Shape extends z.ZodMiniType>(begin: Promise<unknown>, shape: Shape): Promise<z.infer<Shape>> {
  const answer = await begin.catch((error: unknown) => {
    // Some protocols say nothing of errors but those of a door.
    throw error instanceof SupabaseError && error.isFull ? new DoorProblem(problems.storageFull) : error;
  });
  const started = shape.safeParse(answer);
  if (started.success) return started.data;
  throw new DoorProblem(startProblem(startRefusal.parse(answer)));
}

/** Why the database took nothing, as doors say it. */
export function startProblem(refusal: StartRefusal): Problem {
  const { problem, retryAfter = 5 } = refusal;
  switch (problem) {
    case "share":
      return shareProblem(refusal);
    case "not_published":
      return problems.notFound("published version");
    case "rate_limit":
      return problems.tooMany("This workflow has reached its starts per minute.", retryAfter);
    case "busy":
      return problems.tooMany("The limit of runs at the same time is reached.", retryAfter);
    case "spent":
      return {
        status: 429,
        code: "spending_limit",
        title: "Spending limit reached",
        detail: "The budget of this period is used up. Try again in the next period.",
        retryAfter,
      };
    case "key_reused":
      return {
        status: 422,
        code: "idempotency_key_reused",
        title: "Idempotency key used for another request",
        detail: "This Idempotency-Key came with another input before. Use a new one for each request.",
      };
    default:
      return problems.internal;
  }
}

const errorSchema = z.looseObject(
  z.object({ code: z.catch(z.enum(runErrorCodes), "internal"), message: z.string(), hint: z.catch(z.string(), "") })
    .shape,
);

const followedSchema = z.object({
  id: z.string(),
  workflowId: z.string(),
  owner: z.string(),
  slug: z.string(),
  version: z.nullable(z.number()),
  source: z.string(),
  status: z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled", "interrupted"]),
  subject: z.nullable(z.string()),
  keyId: z.nullable(z.string()),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  events: z.array(z.custom<RunEvent>((value) => isJsonObject(value))),
  hasMore: z.boolean(),
  output: z.nullish(json),
  error: z.nullish(errorSchema),
  totalTokens: z.nullish(z.number()),
  costUsd: z.nullish(z.number()),
});
type Followed = z.infer<typeof followedSchema>;

/** A run as its row says it is, without its events. */
export type DoorRun = Omit<Followed, "events" | "hasMore">;

const pageSize = 200;

/** A run on a worker; null where there is none. */
export async function findRun(supabase: SupabaseClient, id: string): Promise<DoorRun | null> {
  return readRun(supabase, id, 2 ** 31 - 1);
}

/** Asks for the end of a run; gives its status. */
export async function cancelRun(supabase: SupabaseClient, id: string): Promise<string> {
  const status = await supabase.callAsService("studio_door_cancel", { p_run_id: id });
  if (typeof status !== "string") throw new DoorProblem(problems.notFound("run"));
  return status;
}

/** Followers of one run that have come as far look at it together. */
const shareRead = createSharedReads<Followed | null>();

function readRun(supabase: SupabaseClient, id: string, after: number): Promise<Followed | null> {
  return shareRead(`${id} ${after}`, async () => {
    const asked = { p_run_id: id, p_after: after, p_limit: pageSize };
    return z.nullable(followedSchema).parse(await supabase.callAsService("studio_door_follow", asked, "reads"));
  });
}

/** What comes of following a run: its events, its changes of status, and the run itself once it has ended. */
export type RunNews =
  | { kind: "event"; event: RunEvent }
  /** What the log will say too, as its worker tells it before it is stored. Only where somebody tells it. */
  | { kind: "live"; text: LiveText }
  | { kind: "status"; status: Followed["status"] }
  | { kind: "end"; run: DoorRun };

const underWay: ReadonlySet<string> = new Set(["queued", "running", "waiting"]);

/** Whether a run with this status may still go on. */
export const isUnderWay = (status: string): boolean => underWay.has(status);

/** Milliseconds between two looks: soon after something happened, seldom while nothing does. */
const pauses = [40, 60, 100, 150, 200, 300, 500, 750, 1_000];
/** While a person is waited for, or the worker tells when there is something to read. */
const waitingPause = 2_000;

/** Milliseconds until the next look: all followers of a waiting run look at the same moments, and so share the read. */
function untilSharedLook(runId: string): number {
  const offset = Number.parseInt(runId.slice(0, 8), 16) % waitingPause;
  return waitingPause - ((Date.now() + offset) % waitingPause);
}

/**
 * The stored events of a run after `afterSeq` (-1: all) as they come, and its end. Ends without one when `signal` aborts. Throws
 * DoorProblem where there is no such run.
 */
export async function* followRun(
  supabase: SupabaseClient,
  id: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<RunNews> {
  const over = new AbortController();
  try {
    yield* follow(supabase, id, afterSeq, AbortSignal.any([signal, over.signal]));
  } finally {
    over.abort();
  }
}

async function* follow(
  supabase: SupabaseClient,
  id: string,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<RunNews> {
  const live = openLiveNews(supabase, id, signal);
  const unpacker = new EventUnpacker();
  let last = -1;
  let status = "";
  let quiet = 0;
  while (!signal.aborted) {
    const page = await readRun(supabase, id, last);
    if (page === null) throw new DoorProblem(problems.notFound("run"));
    const { events, hasMore, ...run } = page;
    for (const stored of events) {
      // Also what is not asked for: later events refer to it.
      const event = unpacker.unpack(stored);
      last = event.seq;
      if (event.seq > afterSeq) yield { kind: "event", event };
    }
    if (hasMore) continue;
    if (run.status !== status) {
      status = run.status;
      yield { kind: "status", status: run.status };
    }
    if (!isUnderWay(run.status)) {
      yield { kind: "end", run: { ...run, output: unpacker.value(run.output ?? null) } };
      return;
    }
    quiet = events.length > 0 ? 0 : quiet + 1;
    const isTold = live.isOpen || run.status === "waiting";
    const pause = isTold ? untilSharedLook(run.id) : (pauses[quiet] ?? pauses.at(-1) ?? 1_000);
    for (let news = await live.next(pause); news?.kind === "text"; news = await live.next(pause)) {
      yield { kind: "live", text: news };
    }
  }
}
