import { z } from "zod/mini";
import type { ByteShare } from "./byte-budget.ts";
import { callerNetwork, loopbackFactor, partyHeader } from "./caller-address.ts";
import { addressLimit, type DoorMethod, type DoorPattern, findDoorPath, problemForm } from "./door-paths.ts";
import { bodyProblem, DoorProblem, type Problem, problems, refusals } from "./door-problem.ts";
import type { FunctionContext } from "./endpoint.ts";
import { maxJsonDepth, maxJsonValues } from "./json-scan.ts";
import { type BodyTerms, bodyRefusal, BodyRefused, receiveBody, receiveWhole } from "./receive-body.ts";
import { createOpenStreams, type StreamOf } from "./open-streams.ts";
import { readableBy, respondProblem } from "./problem-forms.ts";
import { protectiveHeaders } from "./respond.ts";
import { type SupabaseClient, SupabaseError } from "./supabase-client.ts";
import { whenEnded } from "./when-ended.ts";
import { wellFormed } from "../../../src/engine/well-formed.ts";
import { parseLosslessJson } from "../../../src/engine/lossless-json.ts";

/** One call of a door. */
export interface DoorCall {
  request: Request;
  url: URL;
  /** What stands in the path where the route has `:name`. */
  params: Readonly<Record<string, string>>;
  /** The network that it comes from; for counting only. */
  network: string;
  /** The origin of the page that makes it; null outside browsers. */
  origin: string | null;
  /** Lets the page that makes the call read the answer. Until then only problems can be read. */
  allowOrigin(): void;
  /** Adds a header to the answer, whatever becomes of it. */
  setHeader(name: string, value: string): void;
  /** Reads the body as it came, once. */
  readBody(maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The pieces of the body as they come, once. `bufferedBytes` is what of them is held, if anything is. */
  streamBody(maxBytes: number, bufferedBytes?: number): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Reads the body as JSON, once; an empty one is undefined. */
  readJson(maxBytes: number): Promise<unknown>;
  /** What the call holds of the process's memory; given back when its answer has been sent. */
  share: ByteShare;
  /**
   * Takes a place among those that follow runs for a key, for a visitor and of one run; given back when the answer has been sent.
   * Throws DoorProblem, 429, where there is none: to be asked before anything is started.
   */
  takeStream(of: StreamOf): void;
}

/** What a door answers. Problems are thrown as DoorProblem. */
export interface DoorRoute {
  method: DoorMethod;
  /** As the gateway has it; its limit by address and the form of its problems are in `doorPaths`. */
  path: DoorPattern;
  handle(call: DoorCall, context: FunctionContext): Promise<Response>;
}

/**
 * Puts what all doors share around their routes: the address's limit before anything else, size and time of bodies, CORS,
 * and problems as RFC 9457 has them, with `Retry-After`. Paths begin with the function's name, `/doors`. Where a gateway stands
 * in front, it has counted the address already.
 */
export function serveDoor(
  routes: readonly DoorRoute[],
  context: FunctionContext,
): (request: Request) => Promise<Response> {
  const streams = createOpenStreams();
  return async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace(/^\/doors(?=\/)/, "");
    const place = findDoorPath(path);
    const onPath = place === null ? [] : routes.filter((route) => route.path === place.pattern);
    if (request.method === "OPTIONS") return preflight(request, onPath);
    const found = onPath.find((route) => route.method === request.method);
    const origin = request.headers.get("origin");
    const network = callerNetwork(request.headers, context.environment.isBehindGateway);
    const share = context.budget.open(network);
    const { isBehindGateway } = context.environment;
    const own = { ...context, supabase: context.supabase.asParty(request.headers.get(partyHeader)) };
    const open: (() => void)[] = [share.giveBack];
    const headers = new Headers(protectiveHeaders);
    let isReadable = false;
    const call: DoorCall = {
      request,
      url,
      params: place?.params ?? {},
      network,
      origin,
      share,
      allowOrigin: () => (isReadable = true),
      setHeader: (name, value) => headers.set(name, value),
      readBody: (maxBytes) => readBody(request, maxBytes, share),
      streamBody: (maxBytes, bufferedBytes = 0) =>
        streamBody(request, { maxBytes, share, bufferedBytes, dropsRest: true }),
      readJson: (maxBytes) => readJson(request, maxBytes, share),
      takeStream: (of) => void open.push(streams.take(of)),
    };
    let response: Response;
    try {
      if (!isBehindGateway) await takeAddressLimit(context.supabase, network, place?.pattern);
      if (!found && onPath.length > 0) headers.set("allow", onPath.map(({ method }) => method).join(", "));
      if (!found) throw new DoorProblem(onPath.length > 0 ? wrongMethod(onPath) : problems.notFound("address"));
      response = await found.handle(call, own);
    } catch (error) {
      const form = problemForm(path);
      response = respondProblem(problemOf(error), { form, headers: request.headers });
      isReadable = true;
    }
    for (const [name, value] of headers) response.headers.set(name, value);
    if (isReadable) readableBy(response, origin);
    response.headers.append("vary", "origin");
    return whenEnded(response, () => {
      for (const end of open) end();
    });
  };
}

/** Whether a key or a visitor may call from there is known only with the call itself, so any page may ask. No cookies. */
function preflight(request: Request, onPath: readonly DoorRoute[]): Response {
  const origin = request.headers.get("origin");
  const headers = new Headers(protectiveHeaders);
  headers.set("vary", "origin");
  if (origin !== null && onPath.length > 0) {
    headers.set("access-control-allow-origin", origin);
    headers.set("access-control-allow-methods", onPath.map(({ method }) => method).join(", "));
    headers.set("access-control-allow-headers", request.headers.get("access-control-request-headers") ?? "");
    headers.set("access-control-max-age", "600");
  }
  return new Response(null, { status: onPath.length > 0 ? 204 : 404, headers });
}

function wrongMethod(onPath: readonly DoorRoute[]): Problem {
  const known = onPath.map(({ method }) => method).join(" or ");
  return { status: 405, code: "wrong_method", title: "Wrong method", detail: `Use ${known}.` };
}

const limitSchema = z.object({ wait: z.number(), remaining: z.number(), reset: z.number() });

/** What is left of a limit by the minute. Times are in seconds. */
export type TakenLimit = z.infer<typeof limitSchema>;

/** Counts one call against a limit by the minute. */
export async function takeDoorLimit(supabase: SupabaseClient, name: string, perMinute: number): Promise<TakenLimit> {
  const taken = { p_key: await sha256(name), p_per_minute: perMinute };
  return limitSchema.parse(await supabase.callAsService("studio_take_door_limit", taken));
}

/** Without a gateway in front: what a refusal costs then is in docs/doors.md. */
async function takeAddressLimit(
  supabase: SupabaseClient,
  network: string,
  pattern: DoorPattern | undefined,
): Promise<void> {
  const perMinute = addressLimit(pattern);
  const most = network === "loopback" ? perMinute * loopbackFactor : perMinute;
  const { wait } = await takeDoorLimit(supabase, `address ${network} ${pattern ?? ""}`, most);
  if (wait > 0) throw new DoorProblem(refusals.tooManyFromAddress(wait));
}

/** In hex. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function readBody(request: Request, maxBytes: number, share: ByteShare): Promise<Uint8Array<ArrayBuffer>> {
  return receive(request, { maxBytes, share, dropsRest: true });
}

async function* streamBody(request: Request, terms: BodyTerms): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* receiveBody(request, terms);
  } catch (error) {
    throw asProblem(error, terms);
  }
}

async function readJson(request: Request, maxBytes: number, share: ByteShare): Promise<unknown> {
  const json = { depth: maxJsonDepth, values: maxJsonValues };
  const body = await receive(request, { maxBytes, share, json, dropsRest: true });
  if (body.byteLength === 0) return undefined;
  const value = jsonOf(body);
  if (wellFormed(value) !== value) throw new DoorProblem(problems.badRequest(unfit));
  return value;
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return parseLosslessJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new DoorProblem(problems.badRequest("The request's body is not JSON."));
  }
}

const unfit = "The JSON holds a character that cannot be stored: U+0000, or half of a surrogate pair.";

async function receive(request: Request, terms: BodyTerms): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await receiveWhole(request, terms);
  } catch (error) {
    throw asProblem(error, terms);
  }
}

function asProblem(error: unknown, terms: BodyTerms): unknown {
  return error instanceof BodyRefused ? new DoorProblem(bodyProblem(bodyRefusal(error.problem, terms))) : error;
}

/** What a call is answered where it did not come to an answer of its own. */
export function problemOf(error: unknown): Problem {
  if (error instanceof DoorProblem) return error.problem;
  const isDatabase = error instanceof SupabaseError;
  if (isDatabase && error.isFull) return problems.storageFull;
  console.error(`door error: ${isDatabase ? error.message : error instanceof Error ? error.name : typeof error}`);
  return isDatabase && error.status === 503 ? problems.unavailable : problems.internal;
}
