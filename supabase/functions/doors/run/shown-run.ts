import type { Json } from "../../../../src/engine/json.ts";
import type { DoorRun } from "../../_shared/door-runs.ts";

/** Where a run can be asked for. */
export const urlOfRun = (id: string): string => `/api/runs/${id}`;

/** What programs see of a run: how it ended in words, never what the model was asked or a server's raw answer. */
export function shownRun(run: DoorRun): Record<string, unknown> {
  const { id, slug, version, status, output, error, totalTokens, costUsd } = run;
  return {
    id,
    workflow: slug,
    version,
    status,
    output: status === "completed" ? ((output ?? null) as Json) : null,
    ...(error ? { error: { code: error.code, message: error.message, hint: error.hint } } : {}),
    usage: { totalTokens: totalTokens ?? null, costUsd: costUsd ?? null },
    url: urlOfRun(id),
  };
}
