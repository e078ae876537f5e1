import { z } from "zod/mini";
import type { AllowedValue } from "../../../engine/trust/allowed-values.ts";
import { type AllowedValueService, type KeptValue, ServiceError } from "../../../services/services.ts";
import type { Database } from "../../conversation/storage/message-store.ts";
import { execute, query } from "../../shared/storage/query.ts";

/** More are never allowed. */
const most = 1_000;

const path = z.array(z.nullable(z.string()));

const row = z.pipe(
  z.object({ node_id: z.string(), tool_name: z.string(), definition: z.string(), path, value: z.string() }),
  z.transform((row): AllowedValue => ({
    nodeId: row.node_id,
    toolName: row.tool_name,
    definition: row.definition,
    path: row.path,
    value: row.value,
  })),
);

const kept: z.ZodMiniType<KeptValue> = z.object({
  id: z.string(),
  workflowId: z.string(),
  workflowName: z.string(),
  toolName: z.string(),
  path,
  value: z.string(),
  isAllowed: z.boolean(),
  approvals: z.number(),
});

/** What was allowed for good in a workflow, for its runs. */
export function readAllowedValues(database: Database) {
  return (workflowId: string, signal: AbortSignal): Promise<AllowedValue[]> =>
    query(
      "read what you allowed",
      z.array(row),
      database
        .from("studio_allowed_values")
        .select("node_id,tool_name,definition,path,value")
        .eq("workflow_id", workflowId)
        .eq("state", "allowed")
        .limit(most)
        .abortSignal(signal),
    );
}

/** Values in `studio_allowed_values`. */
export function createAllowedValues({ database }: { database: Database }): AllowedValueService {
  return {
    list: () => query("list what you allowed", z.array(kept), database.rpc("studio_list_allowed_values")),

    async answer(workflowId, values, answer) {
      const parameters = { p_workflow_id: workflowId, p_values: [...values], p_answer: answer };
      const sent = await database.rpc("studio_answer_values", parameters);
      refuseMore(sent.error);
      await execute("save what you allow", Promise.resolve(sent));
    },

    async allow(id) {
      const sent = await database.rpc("studio_allow_value", { p_id: id });
      refuseMore(sent.error);
      await execute("allow the value", Promise.resolve(sent));
    },

    remove: (id) => execute("revoke it", database.from("studio_allowed_values").delete().eq("id", id)),
  };
}

function refuseMore(error: { message: string } | null): void {
  if (error?.message.includes("too_many_allowed_values") !== true) return;
  throw new ServiceError(
    "full",
    `There are ${most} allowed values already.`,
    "Revoke some in Settings, under Approvals.",
  );
}
