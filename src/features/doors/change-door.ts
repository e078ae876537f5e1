import { doorConfigs } from "../../doors/door-config.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import type { Services } from "../../services/services.ts";

/** What is to be different; what is left out stays as it is stored. */
export interface DoorChange {
  enabled?: boolean;
  config?: JsonObject;
}

/**
 * Changes parts of a door as it is stored now, whatever this page has read before: another page may have changed it since.
 * Settings that cannot be read begin anew. Rejects as the service does.
 */
export async function changeDoor(
  doors: Pick<Services["doors"], "find" | "save">,
  workflowId: string,
  kind: DoorKind,
  { enabled, config }: DoorChange,
): Promise<void> {
  const stored = await doors.find(workflowId, kind);
  const schema = doorConfigs[kind];
  const read = schema.safeParse(stored?.config ?? {});
  const known: JsonObject = read.success ? { ...read.data, ...stored?.config } : schema.parse({});
  await doors.save(workflowId, kind, {
    // Programs with a key may use the API until somebody closes it.
    enabled: enabled ?? stored?.enabled ?? kind === "api",
    config: { ...known, ...config },
  });
}
