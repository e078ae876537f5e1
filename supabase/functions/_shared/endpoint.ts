import { createAuthenticate, type Authenticate, type Caller } from "./authenticate.ts";
import { accessHeader, partyHeader } from "./caller-address.ts";
import { type ByteBudget, type ByteShare, createByteBudget } from "./byte-budget.ts";
import { type Admissions, createAdmissions } from "./admissions.ts";
import { signedOut } from "./begin-call.ts";
import { type ConnectionPool, createConnectionPool } from "./connection-pool.ts";
import { createCredentialStore, type CredentialStore, withHeld } from "./credential-store.ts";
import { failure, type Failure } from "./failure.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import { ofWorkers, type RateLimit } from "./rate-limit.ts";
import { createPostgresClient } from "./postgres-client.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { crossOriginHeaders, protectiveHeaders, respondFailure } from "./respond.ts";
import { createSupabaseClient, type SupabaseClient, SupabaseError } from "./supabase-client.ts";
import type { TargetPolicy } from "./target-policy.ts";
import { whenEnded } from "./when-ended.ts";
import { databaseHeader } from "../../../src/engine/studio-headers.ts";

/** What every function works with. */
export interface FunctionContext {
  environment: FunctionEnvironment;
  supabase: SupabaseClient;
  authenticate: Authenticate;
  credentials: CredentialStore;
  /** Lets calls in. */
  admissions: Admissions;
  /** What calls may hold in memory at once. */
  budget: ByteBudget;
  /** Connections to vendors and web services that are kept between calls. */
  connections: ConnectionPool;
  /** Default: the machine's resolver. */
  resolve?: ResolveHost | undefined;
  /** Keeps the runtime alive until work that outlasts the answer is done. */
  background(work: Promise<unknown>): void;
}

/** What one call works with. */
export type CallContext = FunctionContext & {
  /** What the call holds of the budget; given back when its answer has been sent, at the latest. */
  share: ByteShare;
  /** What `lookAhead` has read. */
  ahead: LookedAhead;
  /**
   * Lets the next call with the same credential in without asking the database, within seconds of the last time it was asked.
   * To be called once the credential has proved good, and never with one that calls renew.
   */
  keepAdmission(): void;
};

/** What a call says before it is counted. */
export interface LookedAhead {
  /** The id of the credential that it will ask for, so that this comes along when it is counted. */
  credential: string | null;
  /** The JSON of its body, where that was read. */
  input?: { value: unknown };
}

/** A runtime gives a function's process 256 MB; a body is in memory several times while it is read, parsed and answered. */
const budget = { perOwner: 64 * 1024 * 1024, total: 128 * 1024 * 1024 };

/** One edge function, behind the checks of method, caller and rate. */
export interface Endpoint {
  methods: readonly string[];
  rateLimit: RateLimit;
  /** Answers what anyone may ask without being signed in, from what the installation is told alone; null for all else. */
  answerAnyone?(request: Request, environment: FunctionEnvironment): Response | null;
  /** Looks for the credential that a call names; reads little. A response refuses the call. Default: it names none. */
  lookAhead?(request: Request, share: ByteShare): Promise<LookedAhead | Response>;
  /**
   * Answers a request of a signed-in user. It reads what it needs from the database before it does anything: a caller
   * whose read met a restarting database is told that nothing was done, and asks again. `release` must be called once when the answer has been sent in full, and
   * `context.share.giveBack` when nothing of the call is in memory any more.
   */
  handle(request: Request, caller: Caller, context: CallContext, release: () => void): Promise<Response>;
}

/** Puts together what every function works with. */
export function createFunctionContext(
  environment: FunctionEnvironment,
  background: (work: Promise<unknown>) => void,
): FunctionContext {
  const { databaseUrl } = environment;
  const supabase =
    databaseUrl === null ? createSupabaseClient(environment) : createPostgresClient(databaseUrl, environment);
  return {
    environment,
    supabase,
    authenticate: createAuthenticate(supabase, environment),
    admissions: createAdmissions(supabase),
    credentials: createCredentialStore(environment, supabase),
    budget: createByteBudget(budget),
    connections: createConnectionPool(),
    background,
  };
}

/** What this installation opens and keeps shut for requests that leave it. */
export function targetPolicy(environment: FunctionEnvironment): TargetPolicy {
  const { allowHosts, proxies, supabaseUrl, publicUrl } = environment;
  const ownOrigins = [supabaseUrl, publicUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]));
  return { allowHosts, proxies, ownOrigins };
}

/**
 * Puts what all functions share around an endpoint: preflight, method, the user's token, the rate limit, and an answer for
 * what nobody foresaw. Errors: 401 without a user's valid token, 405, 408 and 413 for bodies that are too slow or too
 * large, 429 and 503 with `Retry-After`, 507 where the account's storage is full, 500; all as
 * `{ error: { code, message, hint, retryable } }` with the header `x-switchyard-error: 1`.
 */
export function serveEndpoint(endpoint: Endpoint, context: FunctionContext): (request: Request) => Promise<Response> {
  return async (request) => {
    const allowed = crossOriginHeaders(request, context.environment.allowedOrigins);
    const shared = { ...protectiveHeaders, ...allowed };
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: shared });
    const open = endpoint.answerAnyone?.(request, context.environment) ?? null;
    const response = open ?? (await answer(endpoint, context, request));
    for (const [name, value] of Object.entries(shared)) response.headers.set(name, value);
    return response;
  };
}

async function answer(endpoint: Endpoint, context: FunctionContext, request: Request): Promise<Response> {
  let hasBegun = false;
  try {
    const caller = await context.authenticate(request.headers.get("authorization"));
    if (caller === null) return refuse(signedOut());
    if (!endpoint.methods.includes(request.method)) {
      const message = `The method ${request.method} is not supported here.`;
      const hint = `Use ${endpoint.methods.join(" or ")}.`;
      return respondFailure(failure("invalid_config", message, hint).error, { status: 405 });
    }
    const share = context.budget.open(caller.userId);
    try {
      const ahead = (await endpoint.lookAhead?.(request, share)) ?? { credential: null };
      if (ahead instanceof Response) return whenEnded(ahead, share.giveBack);
      const access = request.headers.get(accessHeader);
      const limit = caller.isWorker ? ofWorkers(endpoint.rateLimit) : endpoint.rateLimit;
      const begun = await context.admissions.begin(caller, limit, { credential: ahead.credential, access });
      if (!begun.ok) return whenEnded(refuse(begun), share.giveBack);
      const release = (): void => context.background(begun.value.leave().catch(reportError));
      const keepAdmission = begun.value.keep;
      const credentials = withHeld(context, ahead.credential, begun.value.held);
      hasBegun = true;
      try {
        const supabase = context.supabase.asParty(request.headers.get(partyHeader));
        const call = { ...context, supabase, credentials, share, ahead, keepAdmission };
        return await endpoint.handle(request, caller, call, release);
      } catch (error) {
        release();
        throw error;
      }
    } catch (error) {
      share.giveBack();
      throw error;
    }
  } catch (error) {
    reportError(error);
    // Endpoints read what they need before they do anything, so where a read failed nothing has been done.
    if (error instanceof SupabaseError && error.status === 503) return databaseAway(hasBegun && !error.isRead);
    if (error instanceof SupabaseError && error.isFull) return refuse({ ...storageFull(), status: 507 });
    const message = "The function failed before it could answer.";
    return respondFailure(failure("internal", message, "Try again. If it keeps happening, tell the operator.").error);
  }
}

function refuse({ error, ...options }: { error: Failure; status?: number; retryAfter?: number }): Response {
  return respondFailure(error, options);
}

function storageFull(): { error: Failure } {
  const hint = "Settings shows what your account holds. Delete something, or ask the operator for more.";
  return failure("invalid_config", "Your account's storage is full, so nothing was saved.", hint);
}

/** 503 with `Retry-After`. Where nothing was done it says so by a header, as the database's own API does, for clients that wait. */
function databaseAway(hasBegun: boolean): Response {
  const { error } = failure(
    "internal",
    hasBegun ? "The database stopped while the function was working on this." : "The database is restarting or busy.",
    hasBegun ? "Check whether it was done, then try again." : "Nothing was done. Try again in a moment.",
  );
  const response = respondFailure({ ...error, retryable: !hasBegun }, { status: 503, retryAfter: 1 });
  if (!hasBegun) response.headers.set(databaseHeader, "not-started");
  return response;
}

/** Logs an error's kind and message. Those of this folder never hold data of users. */
function reportError(error: unknown): void {
  const text = error instanceof Error && error.name === "SupabaseError" ? error.message : errorKind(error);
  console.error(`function error: ${text}`);
}

function errorKind(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
