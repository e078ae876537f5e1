/** Why a door does not do what it was asked, in words for a stranger: never a prompt, a key, a trace or another's session. */
export type Problem = {
  status: number;
  /** What programs go by. */
  code: string;
  title: string;
  detail: string;
  /** Seconds until it is worth trying again. */
  retryAfter?: number | undefined;
};

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
  internal: {
    status: 500,
    code: "internal",
    title: "Internal error",
    detail: "The request failed. Try again; if it fails again, tell the operator.",
  },
} satisfies Record<string, Problem | ((...args: never[]) => Problem)>;
