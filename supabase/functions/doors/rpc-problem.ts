import { type Problem, problemDocument } from "../_shared/door-problem.ts";

/** A problem as a JSON-RPC error, for the doors whose clients speak that; the problem document is its data. */
export function rpcProblem(problem: Problem): unknown {
  const code = problem.status === 404 ? -32001 : problem.status === 400 ? -32600 : -32000;
  return { jsonrpc: "2.0", id: null, error: { code, message: problem.detail, data: problemDocument(problem) } };
}
