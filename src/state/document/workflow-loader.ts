import type { WorkflowLoader } from "../../engine/host.ts";
import { ServiceError, type WorkflowRepository } from "../../services/services.ts";

/** `Host.workflows` on the signed-in user's stored workflows. */
export function createWorkflowLoader(repository: Pick<WorkflowRepository, "get">): WorkflowLoader {
  return {
    async load(id) {
      try {
        return { ok: true, document: (await repository.get(id)).document };
      } catch (error) {
        const known = error instanceof ServiceError;
        return {
          ok: false,
          error: {
            code: "invalid_config",
            message: `The workflow that a tool runs could not be loaded. ${known ? error.message : ""}`.trim(),
            hint: known ? error.hint : "Check that you are online, then try again.",
            retryable: !known || error.kind === "offline" || error.kind === "server",
          },
        };
      }
    },
  };
}
