import type { FunctionEnvironment } from "../../_shared/function-environment.ts";
import { fileLinkSeconds, withFileLinks } from "../../_shared/files/file-link.ts";
import type { DoorRun } from "../../_shared/door-runs.ts";

/** Where a run can be asked for. */
export const urlOfRun = (id: string): string => `/api/runs/${id}`;

/**
 * What programs see of a run: how it ended in words, never what the model was asked or a server's raw answer. Files of its output have
 * links that last for an hour.
 */
export async function shownRun(
  run: DoorRun,
  environment: Pick<FunctionEnvironment, "serviceRoleKey">,
): Promise<Record<string, unknown>> {
  const { id, slug, version, status, output, error, totalTokens, costUsd } = run;
  return {
    id,
    workflow: slug,
    version,
    status,
    output: status === "completed" ? await withFileLinks(output ?? null, id, environment, fileLinkSeconds.api) : null,
    ...(error ? { error: { code: error.code, message: error.message, hint: error.hint } } : {}),
    usage: { totalTokens: totalTokens ?? null, costUsd: costUsd ?? null },
    url: urlOfRun(id),
  };
}
