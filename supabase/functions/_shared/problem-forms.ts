import { type Problem, problemDocument } from "./door-problem.ts";
import { protectiveHeaders, respondJson } from "./respond.ts";
import { runHeader } from "../../../src/engine/studio-headers.ts";

/** How a door's problems are written: as RFC 9457 has them, as a JSON-RPC error, with MCP's challenge, or as OpenAI's clients read them. */
export type ProblemForm = "document" | "rpc" | "mcp" | "completions";

const bodies: Readonly<Record<ProblemForm, (problem: Problem) => unknown>> = {
  document: problemDocument,
  rpc: rpcProblem,
  mcp: rpcProblem,
  completions: openAiProblem,
};

/** The part of a call that the form of its refusal depends on. */
interface RefusedCall {
  form: ProblemForm;
  headers: { get(name: string): string | null };
}

/**
 * The answer to a call of a door that is refused: the same from the door itself and from the gateway in front of it, so that
 * nobody can tell which of them refused. Any page may read it.
 */
export function respondProblem(problem: Problem, { form, headers: sent }: RefusedCall): Response {
  const type = form === "document" ? "application/problem+json" : "application/json";
  const response = respondJson(bodies[form](problem), problem.status, { "content-type": `${type}; charset=utf-8` });
  const { headers } = response;
  for (const [name, value] of Object.entries(protectiveHeaders)) headers.set(name, value);
  if (problem.retryAfter !== undefined) headers.set("retry-after", String(problem.retryAfter));
  if (form === "mcp" && problem.status === 401) {
    const wasSent = sent.get("authorization") !== null;
    headers.set("www-authenticate", `Bearer realm="switchyard"${wasSent ? ', error="invalid_token"' : ""}`);
  }
  return readableBy(response, sent.get("origin"));
}

/** Lets the page that made a call read the answer. */
export function readableBy(response: Response, origin: string | null): Response {
  if (origin !== null) {
    response.headers.set("access-control-allow-origin", origin);
    response.headers.set("access-control-expose-headers", exposed);
  }
  return response;
}

const exposed = `retry-after, ratelimit, ratelimit-policy, location, preference-applied, ${runHeader}, mcp-session-id, www-authenticate`;

/** A problem as a JSON-RPC error, for the doors whose clients speak that; the problem document is its data. */
function rpcProblem(problem: Problem): unknown {
  const code = problem.status === 404 ? -32001 : problem.status === 400 ? -32600 : -32000;
  return { jsonrpc: "2.0", id: null, error: { code, message: problem.detail, data: problemDocument(problem) } };
}

/** A problem as OpenAI's clients read it. */
export function openAiProblem({ status, code, detail }: Problem): unknown {
  return { error: { message: detail, type: openAiType(status), param: null, code } };
}

function openAiType(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
