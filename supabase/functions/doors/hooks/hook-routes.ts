import { z } from "zod/mini";
import { maxInputMb } from "../../../../src/doors/door-limits.ts";
import { hookDoorConfig, type HookDoorConfig } from "../../../../src/doors/hook-door.ts";
import { deliveryOf, hookSchemeFacts, provesSender } from "../../../../src/doors/hook-scheme.ts";
import type { FileValue } from "../../../../src/engine/file/file.ts";
import type { Json, JsonObject } from "../../../../src/engine/json.ts";
import { wellFormed } from "../../../../src/engine/well-formed.ts";
import { type DoorCall, type DoorRoute, sha256 as hashOf } from "../../_shared/door.ts";
import { DoorProblem, type Problem, problems } from "../../_shared/door-problem.ts";
import {
  type Door,
  findDoor,
  followRun,
  isUnderWay,
  sendersOf,
  startDelivery,
  startRun,
  withOpenSecrets,
} from "../../_shared/door-runs.ts";
import type { FunctionContext } from "../../_shared/endpoint.ts";
import {
  announcedBytes,
  describeSent,
  discardFiles,
  keepSent,
  maxStreamedBytes,
  openUpload,
  type SentFile,
} from "../../_shared/files/door-files.ts";
import { createFileStorage } from "../../_shared/files/file-storage.ts";
import { respondJson } from "../../_shared/respond.ts";
import { tooLarge } from "../../_shared/sender-shares.ts";
import { type ArrivedHook, refuseHook } from "../../_shared/webhooks/verify-hook.ts";
import { originHeader } from "../../_shared/caller-address.ts";
import { type DeliveryKey, deliveryKey } from "./delivery-key.ts";
import { awaitAnswer, streamAnswer } from "./await-answer.ts";
import { handshakeAnswer, knownAnswer, promptAnswer, whatsAppVerification } from "./handshake.ts";
import { countKnownDelivery } from "./known-deliveries.ts";
import { unpackBody } from "./unpack-body.ts";
import { readHookBody, readQuery, textOf } from "./read-hook-body.ts";
import { isMultipart } from "../read-parts.ts";
import { dropBody } from "../../_shared/receive-body.ts";
import { mayHoldFiles, plainBody, readHookFiles, receiveHookFiles } from "./read-hook-files.ts";
import { runHeader } from "../../../../src/engine/studio-headers.ts";

/** A request with files, as large as what a run is started with. */
const maxFilesBytes = maxInputMb * 1024 * 1024;

/** How long a caller waits for an answer in one request. */
const longestWaitMs = 100_000;

interface Hook {
  door: Door;
  config: HookDoorConfig;
}

/** A request whose sender is known. */
interface Delivery {
  /** As it is before files are stored: what is known of them stands in it. */
  body: Json;
  files: readonly SentFile[];
  /** Files that were stored as they came; where there are some, they are all of the request's. */
  stored: readonly FileValue[];
  /** What a run is started with, with what stands for each of the files. */
  request(files: readonly Json[]): JsonObject;
  /** The request where no files are stored. */
  seen: JsonObject;
  key: DeliveryKey | undefined;
}

/** `/hooks/<slug>`: starts a run of the live version with the request. */
function hookRoute(method: "GET" | "POST"): DoorRoute {
  return {
    method,
    path: "/hooks/:slug",
    async handle(call, context) {
      const hook = await openHook(call, context);
      const { config } = hook;
      if (method === "GET") {
        const asked = config.scheme === "whatsapp" ? await verification(call, hook) : undefined;
        if (asked) return asked;
        if (!config.allowGet) throw new DoorProblem(postOnly);
      }
      const delivery = await receive(call, hook, context);
      const handshake = handshakeAnswer(config.scheme, delivery.body);
      if (handshake) return handshake;
      const { id, status, isNew, nodes } = await start(call, hook, delivery, context);
      call.setHeader(runHeader, id);
      if (status === null) return knownAnswer(config.scheme, id);
      if (config.answer === "immediately")
        return isNew ? promptAnswer(config.scheme, id) : knownAnswer(config.scheme, id);
      if (!isNew && isUnderWay(status)) throw new DoorProblem(stillRunning);
      call.takeStream({ run: id });
      const signal = AbortSignal.any([call.request.signal, AbortSignal.timeout(longestWaitMs)]);
      const news = followRun(context.supabase, id, -1, signal);
      const answered =
        config.answer === "stream"
          ? await streamAnswer(news)
          : await awaitAnswer(config.answer, nodes.responds, news, (file) =>
              createFileStorage(context).open({ run: id }, file, call.request.signal),
            );
      return answered ?? promptAnswer(config.scheme, id);
    },
  };
}

/** `/hooks/<slug>/test`: keeps the request for the owner's canvas and starts nothing. */
function testRoute(method: "GET" | "POST"): DoorRoute {
  return {
    method,
    path: "/hooks/:slug/test",
    async handle(call, context) {
      const hook = await openHook(call, context);
      if (method === "GET") {
        const asked = hook.config.scheme === "whatsapp" ? await verification(call, hook) : undefined;
        if (asked) return asked;
      }
      const { body, seen } = await receiveHeld(call, hook, context);
      const handshake = handshakeAnswer(hook.config.scheme, body);
      if (handshake) return handshake;
      const kept = { p_workflow_id: hook.door.workflowId, p_request: seen };
      await context.supabase.callAsService("studio_keep_hook_request", kept);
      return respondJson({ received: true });
    },
  };
}

export const hookRoutes: readonly DoorRoute[] = [
  hookRoute("POST"),
  hookRoute("GET"),
  testRoute("POST"),
  testRoute("GET"),
];

/** The webhook of a publication, where its owner has turned it on. */
async function openHook(call: DoorCall, context: FunctionContext): Promise<Hook> {
  const slug = call.params["slug"] ?? "";
  const door = await findDoor(context.supabase, slug, "hook");
  const config = hookDoorConfig.safeParse(door?.config);
  if (door === null || door.slug !== slug || door.enabled !== true || !config.success) {
    throw new DoorProblem(problems.notFound("webhook"));
  }
  return { door: await withOpenSecrets(context, door, "hook"), config: config.data };
}

function verification(call: DoorCall, { door }: Hook): Promise<Response | undefined> {
  return whatsAppVerification(call.url.searchParams, door.secrets["verify"]);
}

/**
 * Whether a request's files can be read as they come: its sender is known by a header, or need not be known, and nothing else needs the
 * whole body. What is signed is held until its signature is checked.
 */
function passesFiles({ config }: Hook, { headers }: Request): boolean {
  const { keepFiles, keepRawBody, scheme } = config;
  const type = headers.get("content-type");
  return (
    keepFiles &&
    mayHoldFiles(type) &&
    !(keepRawBody && isMultipart(type)) &&
    hookSchemeFacts[scheme].signs === "nothing" &&
    announcedBytes(headers) !== undefined
  );
}

/** Reads a request and checks who sent it, by its bytes. */
async function receive(call: DoorCall, hook: Hook, context: FunctionContext): Promise<Delivery> {
  return passesFiles(hook, call.request) ? receivePassing(call, hook, context) : receiveHeld(call, hook, context);
}

/** Stores the files of a request as they come. Throws DoorProblem, and has kept nothing then. */
async function receivePassing(call: DoorCall, hook: Hook, context: FunctionContext): Promise<Delivery> {
  const { door, config } = hook;
  const { inputBytes } = door.limits;
  const { headers: sent } = call.request;
  const arrived = { headers: Object.fromEntries(sent), body: new Uint8Array() };
  await checkSender(hook, arrived).catch(async (error: unknown) => {
    await dropBody(call.request);
    throw error;
  });
  const senders = await sendersOf({ publication: door, sender: { kind: "network", name: call.network } });
  const number = deliveryOf(config.scheme, arrived.headers, undefined);
  const key = number === undefined ? undefined : await hashOf(number);
  const place = await openUpload(context, { publication: door, senders, key }, announcedBytes(sent) ?? 0, call.request);
  return place.orNothing(async () => {
    const { files: stored, with: bodyWith } = await receiveHookFiles(
      call.streamBody(maxStreamedBytes, inputBytes),
      sent,
      { maxTextBytes: inputBytes, tooLarge: new DoorProblem(tooLarge(door.limits)), keep: place.keep },
    );
    const described = stored.map(({ name, mediaType, size, sha256 }) => ({ name, mediaType, size, sha256 }));
    const request = requestOf(call, hook, context, bodyWith);
    const body = bodyWith(described);
    const delivery = await deliveryKey(config, arrived, body);
    return { body, files: [], stored, request, seen: request(described), key: delivery };
  });
}

/** Throws DoorProblem for a request that does not prove who sent it. */
async function checkSender({ door, config }: Hook, arrived: ArrivedHook): Promise<void> {
  const secrets = [door.secrets["current"] ?? "", door.secrets["previous"] ?? ""];
  const refusal = await refuseHook(config.scheme, secrets, arrived, Math.floor(Date.now() / 1_000));
  if (refusal !== undefined) throw new DoorProblem(refusal === "time" ? wrongTime : notVerified);
}

/** What a run is started with, by what stands for each file of the body. */
function requestOf(
  call: DoorCall,
  { config }: Hook,
  context: FunctionContext,
  bodyWith: (files: readonly Json[]) => Json,
  raw?: string,
): Delivery["request"] {
  const headers = { ...Object.fromEntries(call.request.headers), host: calledHost(call, context) };
  return (files) => ({
    method: call.request.method,
    headers: passedOn(headers, config),
    query: readQuery(call.url.searchParams),
    body: bodyWith(files),
    ...(raw === undefined ? {} : { rawBody: wellFormed(raw) }),
  });
}

async function receiveHeld(call: DoorCall, hook: Hook, context: FunctionContext): Promise<Delivery> {
  const { door, config } = hook;
  const { inputBytes } = door.limits;
  const contentType = call.request.headers.get("content-type");
  const maxBytes = config.keepFiles && mayHoldFiles(contentType) ? Math.max(inputBytes, maxFilesBytes) : inputBytes;
  const arrived = { headers: Object.fromEntries(call.request.headers), body: await call.readBody(maxBytes) };
  await checkSender(hook, arrived);
  const bytes = await unpackBody(arrived.body, call.request.headers.get("content-encoding"), maxBytes);
  const read = config.keepFiles
    ? await readHookFiles(bytes, call.request.headers)
    : plainBody(await readHookBody(bytes, contentType));
  const ofFiles = read.files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
  if (bytes.byteLength - ofFiles > inputBytes) throw new DoorProblem(tooLarge(door.limits));
  const raw = config.keepRawBody && read.files.length === 0 ? textOf(bytes) : undefined;
  const request = requestOf(call, hook, context, read.with, raw);
  const described = await Promise.all(read.files.map(describeSent));
  const body = read.with(described);
  const key = await deliveryKey(config, arrived, body);
  return { body, files: read.files, stored: [], request, seen: request(described), key };
}

/** The host that the sender called: the function itself is behind a gateway or a platform, which call it by another one. */
function calledHost({ request }: DoorCall, { environment }: FunctionContext): string {
  const { isBehindGateway, publicUrl, supabaseUrl } = environment;
  const origin = isBehindGateway ? request.headers.get(originHeader) : null;
  return new URL(origin ?? publicUrl ?? supabaseUrl).host;
}

/** Headers of the way here, which say nothing about the request itself. */
const wayHeaders =
  /^(?:connection|keep-alive|transfer-encoding|x-forwarded-.*|x-real-ip|forwarded|via|x-switchyard-.*|cf-.*)$/;

function passedOn(headers: Record<string, string>, { scheme }: HookDoorConfig): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !provesSender(scheme, name) && !wayHeaders.test(name));
  return wellFormed(Object.fromEntries(kept));
}

const nodesSchema = z.object({ triggers: z.array(z.string()), responds: z.array(z.string()) });
type HookNodes = z.infer<typeof nodesSchema>;

async function hookNodes(door: Door, version: number, { supabase }: FunctionContext) {
  const asked = { p_workflow_id: door.workflowId, p_version: version };
  return z.nullable(nodesSchema).parse(await supabase.callAsService("studio_hook_nodes", asked, "reads"));
}

/** Starts a run, or finds the one that the same delivery started before; the status of one that is gone is null. */
async function start(
  call: DoorCall,
  { door }: Hook,
  { files: sent, stored, request, key }: Delivery,
  context: FunctionContext,
): Promise<{ id: string; status: string | null; isNew: boolean; nodes: HookNodes }> {
  const { supabase } = context;
  const sender = { kind: "network", name: call.network } as const;
  const files = [...stored];
  let isNew = false;
  try {
    const nodes = door.live === null ? null : await hookNodes(door, door.live, context);
    if (nodes === null || nodes.triggers.length === 0) throw new DoorProblem(problems.notFound("webhook"));
    const senders = await sendersOf({ publication: door, sender });
    const upload = { publication: door, senders, key: key?.key };
    files.push(...(await keepSent(context, upload, sent, call.request.signal)));
    const common = { publication: door, input: request(files), sender, files, areFilesCounted: stored.length > 0 };
    if (key === undefined) {
      const started = await startRun(supabase, { ...common, target: "live", source: "webhook", isSizeChecked: true });
      isNew = started.isNew;
      return { ...started, nodes };
    }
    const started = await startDelivery(supabase, { ...common, delivery: key });
    isNew = started.isNew;
    if (!started.isNew) await countKnownDelivery(supabase, door.workflowId);
    if (!started.isSame) throw new DoorProblem(otherBody);
    return { ...started, nodes };
  } finally {
    if (!isNew) await discardFiles(context, door.owner, files);
  }
}

const notVerified: Problem = {
  status: 401,
  code: "not_verified",
  title: "Not verified",
  detail: "The request does not prove who sent it: its token or signature is missing or wrong.",
};
const wrongTime: Problem = {
  ...notVerified,
  detail: "The request was signed more than five minutes ago, or the sender's clock is wrong.",
};
const postOnly: Problem = { status: 405, code: "wrong_method", title: "Wrong method", detail: "Use POST." };
const stillRunning: Problem = {
  status: 409,
  code: "in_progress",
  title: "Still running",
  detail: "This delivery came before and its run has not ended. Send it again later for the answer.",
  retryAfter: 5,
};
const otherBody: Problem = {
  status: 422,
  code: "idempotency_key_reused",
  title: "Delivery number used for another request",
  detail: "A delivery with this number came with another body in the last 24 hours.",
};
