import type { Problem } from "../../_shared/door-problem.ts";

/** A problem as OpenAI's clients read it. */
export function openAiProblem({ status, code, detail }: Problem): unknown {
  return { error: { message: detail, type: typeOf(status), param: null, code } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
