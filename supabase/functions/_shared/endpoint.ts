import { createAuthenticate, type Authenticate, type Caller } from "./authenticate.ts";
import { type ByteBudget, type ByteShare, createByteBudget } from "./byte-budget.ts";
import { createCredentialStore, type CredentialStore } from "./credential-store.ts";
import { failure } from "./failure.ts";
import type { FunctionEnvironment } from "./function-environment.ts";
import { enterRateLimit, ofWorkers, type RateLimit } from "./rate-limit.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { crossOriginHeaders, PROTECTIVE_HEADERS, respondFailure } from "./respond.ts";
import { createSupabaseClient, type SupabaseClient, SupabaseError } from "./supabase-client.ts";
import type { TargetPolicy } from "./target-policy.ts";

/** What every function works with. */
export type FunctionContext = {
  environment: FunctionEnvironment;
  supabase: SupabaseClient;
  authenticate: Authenticate;
  credentials: CredentialStore;
  /** What calls may hold in memory at once. */
  budget: ByteBudget;
  /** Default: the machine's resolver. */
  resolve?: ResolveHost | undefined;
  /** Keeps the runtime alive until work that outlasts the answer is done. */
  background(work: Promise<unknown>): void;
};

/** What one call works with. */
export type CallContext = FunctionContext & {
  /** What the call holds of the budget; given back when its answer has been sent, at the latest. */
  share: ByteShare;
};

/** A runtime gives a function's process 256 MB; a body is in memory several times while it is read, parsed and answered. */
const BUDGET = { perOwner: 64 * 1024 * 1024, total: 128 * 1024 * 1024 };

/** One edge function, behind the checks of method, caller and rate. */
export type Endpoint = {
  methods: readonly string[];
  rateLimit: RateLimit;
  /** Answers what anyone may ask without being signed in, from what the installation is told alone; null for all else. */
  answerAnyone?(request: Request, environment: FunctionEnvironment): Response | null;
  /**
   * Answers a request of a signed-in user. It reads what it needs from the database before it does anything: a caller
   * whose read met a restarting database is told that nothing was done, and asks again. `release` must be called once when the answer has been sent in full, and
   * `context.share.giveBack` when nothing of the call is in memory any more.
   */
  handle(request: Request, caller: Caller, context: CallContext, release: () => void): Promise<Response>;
};

/** Puts together what every function works with. */
export function createFunctionContext(
  environment: FunctionEnvironment,
  background: (work: Promise<unknown>) => void,
): FunctionContext {
  const supabase = createSupabaseClient(environment);
  return {
    environment,
    supabase,
    authenticate: createAuthenticate(supabase),
    credentials: createCredentialStore(environment, supabase),
    budget: createByteBudget(BUDGET),
    background,
  };
}

/** What this installation opens and keeps shut for requests that leave it. */
export function targetPolicy(environment: FunctionEnvironment): TargetPolicy {
  return { allowHosts: environment.allowHosts, ownOrigin: new URL(environment.supabaseUrl).origin };
}

/**
 * Puts what all functions share around an endpoint: preflight, method, the user's token, the rate limit, and an answer for
 * what nobody foresaw. Errors: 401 without a user's valid token, 405, 408 and 413 for bodies that are too slow or too
 * large, 429 and 503 with `Retry-After`, 500; all as
 * `{ error: { code, message, hint, retryable } }` with the header `x-switchyard-error: 1`.
 */
export function serveEndpoint(endpoint: Endpoint, context: FunctionContext): (request: Request) => Promise<Response> {
  return async (request) => {
    const allowed = crossOriginHeaders(request, context.environment.allowedOrigins);
    const shared = { ...PROTECTIVE_HEADERS, ...allowed };
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
    if (caller === null) {
      const message = "You are not signed in, or your session has ended.";
      return respondFailure(failure("invalid_credentials", message, "Sign in and try again.").error, { status: 401 });
    }
    if (!endpoint.methods.includes(request.method)) {
      const message = `The method ${request.method} is not supported here.`;
      const hint = `Use ${endpoint.methods.join(" or ")}.`;
      return respondFailure(failure("invalid_config", message, hint).error, { status: 405 });
    }
    const limit = caller.isWorker ? ofWorkers(endpoint.rateLimit) : endpoint.rateLimit;
    const slot = await enterRateLimit(context.supabase, caller.userId, limit);
    if (!slot.ok) return respondFailure(slot.error, { retryAfter: slot.retryAfter ?? 1 });
    const release = (): void => context.background(slot.value.leave().catch(reportError));
    const share = context.budget.open(caller.userId);
    hasBegun = true;
    try {
      return await endpoint.handle(request, caller, { ...context, share }, release);
    } catch (error) {
      release();
      share.giveBack();
      throw error;
    }
  } catch (error) {
    reportError(error);
    // Endpoints read what they need before they do anything, so where a read failed nothing has been done.
    if (error instanceof SupabaseError && error.status === 503) return databaseAway(hasBegun && !error.isRead);
    const message = "The function failed before it could answer.";
    return respondFailure(failure("internal", message, "Try again. If it keeps happening, tell the operator.").error);
  }
}

/** 503 with `Retry-After`. Where nothing was done it says so by a header, as the database's own API does, for clients that wait. */
function databaseAway(hasBegun: boolean): Response {
  const { error } = failure(
    "internal",
    hasBegun ? "The database stopped while the function was working on this." : "The database is restarting or busy.",
    hasBegun ? "Check whether it was done, then try again." : "Nothing was done. Try again in a moment.",
  );
  const response = respondFailure({ ...error, retryable: !hasBegun }, { status: 503, retryAfter: 1 });
  if (!hasBegun) response.headers.set("x-switchyard-database", "not-started");
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
