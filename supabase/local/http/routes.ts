import type { IncomingMessage, ServerResponse } from "node:http";
import { Hono } from "hono";
import { networkOf, visitorHeader } from "../../functions/_shared/caller-address.ts";
import { createByteBudget } from "../../functions/_shared/byte-budget.ts";
import {
  bodyPatience,
  type BodyTerms,
  bodyRefusal,
  BodyRefused,
  receiveWhole,
} from "../../functions/_shared/receive-body.ts";
import { partyHeader } from "../../functions/_shared/caller-address.ts";
import { type AccountDeletions, deletingPaths } from "../auth/account-deletions.ts";
import type { Accounts } from "../auth/accounts.ts";
import { unavailable } from "../rest/api-forwarder.ts";
import { type ChatHeaders, chatPageSlug } from "./chat-site.ts";
import { withBrowserTicket } from "./chat-visitor.ts";
import { DatabaseUnavailable } from "../database/database-client.ts";
import type { DatabaseService } from "../database/database-service.ts";
import type { EdgeFunctions } from "../functions/edge-functions.ts";
import type { FunctionsProxy } from "../functions/functions-proxy.ts";
import type { LiveAnswers } from "./live-answers.ts";
import { doorPaths, findDoorPath } from "../../functions/_shared/door-paths.ts";
import { isApiPath, isDoorPath, type OriginGuard } from "./origin-guard.ts";
import { currentSender, readParty } from "./current-sender.ts";
import { sendsNoMail } from "../auth/password-reset.ts";
import type { IdentifySender, Sender } from "./request-sender.ts";
import { bufferedAnswer } from "./send-answer.ts";
import type { SiteHandler } from "./site-handler.ts";
import type { SupabaseApi } from "../rest/supabase-api.ts";
import type { ClientAddress } from "./client-address.ts";
import type { DoorGate } from "./door-gate.ts";
import type { NodeExchange } from "./http-server.ts";
import { maxFileBytes } from "../../../src/engine/file/file.ts";
import type { StorageApi } from "../storage/storage-api.ts";
import type { Workers } from "../workers/workers.ts";

// Above the largest single row that a table takes, and enough for a batch of events.
/** Runs that one account watches at once. */
const mostWatched = 20;
const maxBodyBytes = 32 * 1024 * 1024;

/** Of a request without a valid token: enough to sign in. */
const maxStrangerBytes = 64 * 1024;

/** Before the API parses a body; a batch of long answers of tools holds some hundred thousand values. */
const jsonLimits = { depth: 2_000, values: 1_000_000 };

/** Of what comes to a door: the door itself takes less, and knows from whom. */
const maxDoorBytes = 24 * 1024 * 1024;

/** Bodies and answers of the API that are in memory at once, by user (by address without one) and in all. */
const budgetLimits = { perOwner: 64 * 1024 * 1024, total: 320 * 1024 * 1024 };

/**
 * What the auth API does by mail, which it never sends here, so nobody could use these but a guesser: each makes or takes
 * a code of six digits that opens the account, and the library counts no failed tries.
 */
const mailPaths = ["otp", "magiclink", "resend", "verify", "reauthenticate"].map((name) => `/auth/v1/${name}`);

/** Calls after which a worker may have something to do. */
export const wakingPaths = new Set(
  [
    "studio_publish",
    "studio_point",
    "studio_switch_trigger",
    "studio_start_run",
    "studio_cancel_run",
    "studio_decide_wait",
    "studio_door_begin",
    "studio_door_cancel",
    "studio_door_decide",
    "studio_chat_begin",
    "studio_upload_knowledge_document",
    "studio_save_source",
    "studio_reload_source",
  ].map((name) => `/rest/v1/rpc/${name}`),
);

/** Everything behind the one origin. */
interface Services {
  instance: string;
  guard: OriginGuard;
  headers: Record<string, string>;
  /** In place of `headers` on the paths of chat pages. */
  chatHeaders: ChatHeaders;
  /** What seals what visitors' browsers keep. */
  chatTickets: { serviceKey: string; isSecure: boolean };
  api: SupabaseApi;
  accounts: Accounts;
  deletions: Pick<AccountDeletions, "wake">;
  database: Pick<DatabaseService, "state">;
  functions: { proxy: FunctionsProxy; processes: EdgeFunctions } | null;
  doorGate: DoorGate;
  clientAddress: ClientAddress;
  workers: Pick<Workers, "wake" | "statuses">;
  liveAnswers: Pick<LiveAnswers, "follow" | "changes">;
  identify: IdentifySender;
  /** Below /operator/v1. */
  operator: (request: Request) => Response | Promise<Response>;
  /** /health, /ready and /metrics. */
  probes: (request: Request) => Response | Promise<Response>;
  /** Below /storage/v1. */
  storage: StorageApi;
  site: SiteHandler;
}

/** The handler of all requests: guard, then API, edge functions or site, with the security headers on each answer. */
export function createRoutes(services: Services): (request: Request, exchange: NodeExchange) => Promise<Response> {
  const {
    instance,
    guard,
    headers,
    chatHeaders,
    chatTickets,
    api,
    accounts,
    deletions,
    database,
    functions,
    doorGate,
    clientAddress,
    workers,
    liveAnswers,
    identify,
    operator,
    probes,
    storage,
    site,
  } = services;
  const app = new Hono<{ Bindings: NodeExchange }>();

  app.use(async (context, next) => {
    const refusal = guard(context.req.raw);
    if (refusal) context.res = refuse(403, "forbidden_origin", refusal);
    else await next();
    const { pathname } = new URL(context.req.url);
    const isDoor = isDoorPath(pathname);
    for (const name of Array.from(context.res.headers.keys())) {
      // Everything but doors is on one origin; the API library would let every site read its answers.
      if (name.startsWith("access-control-") && !isDoor) context.res.headers.delete(name);
    }
    const chat = refusal ? null : await chatHeaders(pathname);
    for (const [name, value] of Object.entries(chat ?? headers)) {
      // What another site may read is the door's own matter, and its answers, which workflows write, are held more tightly
      // than the site's own pages.
      const isOwn =
        (isDoor || isFilePath(pathname)) && (name === "cross-origin-resource-policy" || context.res.headers.has(name));
      if (!isOwn) context.res.headers.set(name, value);
    }
  });

  app.get("/.well-known/switchyard", (context) =>
    context.json(
      {
        instance,
        database: database.state,
        functions: functions?.processes.statuses() ?? [],
        workers: workers.statuses(),
      },
      200,
      { "cache-control": "no-store" },
    ),
  );

  for (const path of mailPaths) app.all(path, () => sendsNoMail());

  const budget = createByteBudget(budgetLimits);

  /** Whose turn it is at the database, and whose share of memory: the functions work for others, and say for whom. */
  const partyOf = (sender: Sender, headers: Headers, incoming: IncomingMessage): string => {
    if (sender.kind === "user") return sender.id;
    const told = sender.kind === "service" ? headers.get(partyHeader) : null;
    return told ?? `${sender.kind} ${clientAddress(incoming)}`;
  };

  const viaApi = async (
    request: Request,
    { incoming, outgoing }: NodeExchange,
    ask: SupabaseApi,
  ): Promise<Response> => {
    const sender = await identify(request.headers);
    const name = partyOf(sender, request.headers, incoming);
    const share = budget.open(name);
    outgoing.once("close", share.giveBack);
    const terms: BodyTerms = { ...sizeFor(sender), json: jsonLimits, share };
    const { method, headers, url } = request;
    try {
      const body = request.body === null ? null : await receiveWhole(request, terms);
      // With its body read, handling it no longer depends on the sender.
      const response = await currentSender.run(readParty(name), () => ask(new Request(url, { method, headers, body })));
      response.headers.set("cache-control", "no-store");
      const answered = await response.arrayBuffer();
      const full = share.take(answered.byteLength);
      if (full !== null) throw new BodyRefused(full === "owner" ? "owner-full" : "full");
      endSlowReader(answered.byteLength, incoming, outgoing);
      if (answered.byteLength > 0) response.headers.set("content-length", String(answered.byteLength));
      const { status } = response;
      if (answered.byteLength === 0) return new Response(null, { status, headers: response.headers });
      return bufferedAnswer(Buffer.from(answered), { status, headers: response.headers });
    } catch (error) {
      if (error instanceof BodyRefused) return refuseBody(error, terms);
      throw error;
    }
  };
  const addressOf = ({ incoming }: NodeExchange) => clientAddress(incoming);
  app.post("/auth/v1/token", async (context) => {
    const { headers: given } = context.req.raw;
    // A chat page signs its visitors in, each of whom guesses for their own network only.
    const visitor = (await identify(given)).kind === "service" ? given.get(visitorHeader) : null;
    const address = visitor ?? addressOf(context.env);
    return viaApi(context.req.raw, context.env, (request) => accounts.signIn(request, address));
  });
  app.post("/auth/v1/signup", (context) =>
    viaApi(context.req.raw, context.env, (request) => accounts.signUp(request, addressOf(context.env))),
  );
  app.post("/auth/v1/recover", (context) =>
    viaApi(context.req.raw, context.env, (request) => accounts.askForLink(request, addressOf(context.env))),
  );
  app.all("/auth/v1/recover", () => sendsNoMail());
  app.post("/auth/v1/reset-password", (context) => viaApi(context.req.raw, context.env, accounts.reset));
  app.put("/auth/v1/user", (context) =>
    viaApi(context.req.raw, context.env, (request) => accounts.change(request, addressOf(context.env))),
  );
  // Nobody signs in by way of another service here, so nobody comes back from one; the API library would send them to the app.
  app.all("/auth/v1/callback", () => refuse(404, "not_found", "This studio has no sign-in by other services."));
  for (const path of ["/rest/v1/*", "/auth/v1/*"]) {
    app.all(path, async (context) => {
      const response = await viaApi(context.req.raw, context.env, api);
      if (response.ok && wakingPaths.has(context.req.path)) workers.wake();
      if (response.ok && deletingPaths.has(context.req.path)) deletions.wake();
      return response;
    });
  }

  /** `path`: of the door, however it is addressed. */
  const viaGate = (raw: Request, exchange: NodeExchange, proxy: FunctionsProxy, path: string): Promise<Response> => {
    const { method, headers: sent, signal } = raw;
    const address = addressOf(exchange);
    const pattern = findDoorPath(path)?.pattern;
    const maxBytes = pattern !== undefined && doorPaths[pattern].takesFile ? maxFileBytes + maxDoorBytes : maxDoorBytes;
    return doorGate.answer({ method, pathname: path, headers: sent, address, signal }, (party) =>
      proxy.forward(raw, { maxBytes }, { address, party }),
    );
  };

  app.all("/functions/v1/*", async (context) => {
    if (!functions) return refuse(404, "not_found", "This instance runs without edge functions.");
    const [, doorPath] = /^\/functions\/v1\/doors(\/.*|$)/.exec(new URL(context.req.url).pathname) ?? [];
    if (doorPath !== undefined) return viaGate(context.req.raw, context.env, functions.proxy, doorPath);
    const sender = await identify(context.req.raw.headers);
    const address = addressOf(context.env);
    const party = sender.kind === "user" ? `functions for ${sender.id}` : `functions at ${address}`;
    const isUpload = sender.kind === "user" && isFilePath(new URL(context.req.url).pathname);
    const terms = isUpload ? { maxBytes: maxFileBytes } : sizeFor(sender);
    return functions.proxy.forward(context.req.raw, terms, { address, party });
  });

  for (const path of ["/v1/*", "/api/*", "/hooks/*", "/c-api/*", "/s-api/*", "/mcp/*", "/a2a/*"]) {
    app.all(path, (context) => {
      if (!functions) return refuse(404, "not_found", "This instance runs without edge functions.");
      // With letters percent-encoded it would be no door's path where it is cut.
      const { pathname } = new URL(context.req.url);
      if (!isDoorPath(pathname)) return refuse(404, "not_found", "There is no such address.");
      return viaGate(context.req.raw, context.env, functions.proxy, pathname);
    });
  }

  app.get("/live/v1/runs/:id", async (context) => {
    // Only for the functions, which know who may read the answer.
    const sender = await identify(context.req.raw.headers);
    if (sender.kind !== "service") return refuse(401, "unauthorized", "Only the studio's own functions read this.");
    const headers = { "content-type": "application/x-ndjson", "cache-control": "no-store" };
    return new Response(liveAnswers.follow(context.req.param("id")), { headers });
  });

  const watching = new Map<string, number>();
  app.get("/live/v1/runs/:id/changes", async (context) => {
    const sender = await identify(context.req.raw.headers);
    if (sender.kind !== "user") return refuse(401, "unauthorized", "Sign in first.");
    if ((watching.get(sender.id) ?? 0) >= mostWatched) {
      return refuse(429, "too_many_requests", "Too many runs are watched at once.");
    }
    watching.set(sender.id, (watching.get(sender.id) ?? 0) + 1);
    context.env.outgoing.once("close", () => {
      const left = (watching.get(sender.id) ?? 1) - 1;
      if (left > 0) watching.set(sender.id, left);
      else watching.delete(sender.id);
    });
    const run = context.req.param("id");
    // The database knows whose run it is, and whether the session goes on.
    const asked = new URL(`/rest/v1/studio_runs?id=eq.${encodeURIComponent(run)}&select=id`, context.req.url);
    const found = await viaApi(new Request(asked, { headers: context.req.raw.headers }), context.env, api);
    if (!found.ok) return found;
    const rows: unknown = await found.json();
    if (!Array.isArray(rows) || rows.length !== 1) return refuse(404, "not_found", "There is no such run.");
    return new Response(liveAnswers.changes(run), {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  });

  app.all("/storage/v1/*", (context) => storage(context.req.raw));

  app.all("/operator/v1/*", (context) => operator(context.req.raw));

  for (const path of ["/health", "/ready", "/metrics"]) app.get(path, (context) => probes(context.req.raw));

  app.get("/c/*", (context) => {
    const page = (request: Request) => site(request, context.env);
    if (chatPageSlug(new URL(context.req.url).pathname) === null) return page(context.req.raw);
    const network = networkOf(addressOf(context.env));
    return withBrowserTicket(context.req.raw, page, { ...chatTickets, network });
  });

  app.all("*", (context) =>
    isApiPath(context.req.path)
      ? refuse(404, "not_found", "The embedded Supabase has no such service.")
      : site(context.req.raw, context.env),
  );

  app.onError((error) => {
    if (error instanceof DatabaseUnavailable) return unavailable(error);
    console.error(`A request failed: ${error.message}`);
    return refuse(500, "internal", "The server failed to answer. The terminal says why.");
  });

  return async (request, exchange) => app.fetch(request, exchange);
}

/** An answer stays in memory until it is read, so its reader has a deadline too. */
function endSlowReader(bytes: number, { socket }: IncomingMessage, outgoing: ServerResponse): void {
  const { graceMs, bytesPerSecond } = bodyPatience;
  const late = setTimeout(() => socket.destroy(), 2 * graceMs + (bytes / bytesPerSecond) * 1_000).unref();
  outgoing.once("close", () => clearTimeout(late));
}

/** Where files come and go, whose answers are held more tightly than the site's own pages. */
function isFilePath(pathname: string): boolean {
  return /^\/functions\/v1\/files(?:\/|$)/.test(pathname);
}

function sizeFor(sender: Sender): BodyTerms {
  return sender.kind === "unknown" ? { maxBytes: maxStrangerBytes, fromStranger: true } : { maxBytes: maxBodyBytes };
}

/** In the form of PostgREST's errors. */
function refuseBody({ problem }: BodyRefused, terms: BodyTerms): Response {
  const { status, code, message, hint, retryAfter } = bodyRefusal(problem, terms);
  return refuse(status, code, message, { hint, retryAfter });
}

function refuse(
  status: number,
  code: string,
  message: string,
  { hint, retryAfter }: { hint?: string; retryAfter?: number | undefined } = {},
): Response {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return Response.json({ code, message, ...(hint === undefined ? {} : { hint }) }, { status, headers });
}
