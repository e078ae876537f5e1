import type { BodyRefusal } from "./receive-body.ts";
import type { RunErrorCode } from "../../../src/engine/errors.ts";

/** What programs go by. `docs/reference/errors.md` says of each what to do. */
export type ProblemCode =
  | "already_decided"
  | "bad_request"
  | "busy"
  | "cancelled"
  | "closed"
  | "daily_share"
  | "forbidden"
  | "idempotency_key_reused"
  | "in_progress"
  | "internal"
  | "key_expired"
  | "no_answer"
  | "not_found"
  | "not_verified"
  | "origin_not_allowed"
  | "page_expired"
  | "rate_limit"
  | "run_cancelled"
  | "run_failed"
  | "session_not_found"
  | "spending_limit"
  | "storage_full"
  | "too_large"
  | "too_slow"
  | "unauthorized"
  | "unavailable"
  | "unknown_session"
  | "work_required"
  | "wrong_identity"
  | "wrong_method"
  | "wrong_password";

/** Why a door does not do what it was asked, in words for a stranger: never a prompt, a key, a trace or another's session. */
export interface Problem {
  status: number;
  /** OpenAI's clients get the code of the run's error where a run failed. */
  code: ProblemCode | RunErrorCode;
  title: string;
  detail: string;
  /** Seconds until it is worth trying again. */
  retryAfter?: number | undefined;
}

/** Ends a call of a door with a problem; the frame makes the answer of it. */
export class DoorProblem extends Error {
  override readonly name = "DoorProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

/** The body of a problem as RFC 9457 has it. */
export function problemDocument({ status, code, title, detail }: Problem): Record<string, unknown> {
  return { type: `urn:switchyard:problem:${code}`, title, status, detail, code };
}

/** Why a body was not received, as doors say it. */
export function bodyProblem({ status, message, hint, retryAfter }: BodyRefusal): Problem {
  const code = status === 413 ? "too_large" : status === 408 ? "too_slow" : status === 400 ? "bad_request" : "busy";
  return { status, code, title: message, detail: hint, retryAfter };
}

/** Problems that more than one kind of door has. */
export const problems = {
  notFound: (what: string): Problem => ({
    status: 404,
    code: "not_found",
    title: "Not found",
    detail: `There is no such ${what}, or it is not yours to use.`,
  }),
  badRequest: (detail: string): Problem => ({ status: 400, code: "bad_request", title: "Bad request", detail }),
  tooMany: (detail: string, retryAfter: number): Problem => ({
    status: 429,
    code: "rate_limit",
    title: "Too many requests",
    detail,
    retryAfter,
  }),
  unavailable: {
    status: 503,
    code: "unavailable",
    title: "Temporarily unavailable",
    detail: "The service is restarting or busy. Try again in a moment.",
    retryAfter: 1,
  },
  /** The owner's space, whoever calls: a full studio is no failure of the server, and trying again does not help. */
  storageFull: {
    status: 507,
    code: "storage_full",
    title: "Storage full",
    detail: "The account that this belongs to has no room left. Its owner can make room in the studio’s settings.",
  },
  internal: {
    status: 500,
    code: "internal",
    title: "Internal error",
    detail: "The request failed. Try again; if it fails again, tell the operator.",
  },
} satisfies Record<string, Problem | ((...args: never[]) => Problem)>;

const unauthorized = { status: 401, code: "unauthorized", title: "Unauthorized" } as const;

/** Refusals that need no look at what a door does: the gateway and the door itself say them alike. */
export const refusals = {
  noKey: { ...unauthorized, detail: "Send an API key: Authorization: Bearer sy_…" },
  unknownKey: { ...unauthorized, detail: "This API key does not exist or was revoked." },
  expiredKey: { ...unauthorized, code: "key_expired", detail: "This API key has expired." },
  unknownSession: { ...unauthorized, code: "unknown_session", detail: "Open the chat again." },
  tooManyFromAddress: (retryAfter: number): Problem =>
    problems.tooMany("Too many requests came from your address.", retryAfter),
} satisfies Record<string, Problem | ((...args: never[]) => Problem)>;
