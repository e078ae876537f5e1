import type { Json, JsonObject } from "../engine/json.ts";
import type { DoorKind } from "../engine/trust/run-sources.ts";

/** A door's settings as they are stored. */
export interface StoredDoor {
  enabled: boolean;
  /** Its form is the kind's own (`src/doors`). */
  config: JsonObject;
  /** Names of the secrets that are stored; their values never come back. */
  secrets: readonly string[];
  /** Deliveries of a webhook that came again and started nothing; counting begins anew after a week without one. */
  knownDeliveries?: { count: number; lastAt: string };
}

/** What is saved of a door. A secret of null is deleted; those that are not named stay. */
export interface DoorChange {
  enabled: boolean;
  config: JsonObject;
  secrets?: Readonly<Record<string, string | null>>;
}

/** How a published workflow is reached from outside. */
export interface DoorService {
  /** Undefined where it was never set up. */
  find(workflowId: string, kind: DoorKind): Promise<StoredDoor | undefined>;
  /** Those that were set up. */
  list(workflowId: string): Promise<(Pick<StoredDoor, "enabled" | "config"> & { kind: DoorKind })[]>;
  save(workflowId: string, kind: DoorKind, change: DoorChange): Promise<void>;
  /** The full address of a path such as `/hooks/<slug>`. */
  address(path: string): Promise<string>;
  /** Gives the webhook another secret. With `keepPrevious`, the one before is taken too until it is deleted. */
  renewHookSecret(workflowId: string, secret: string, options: { keepPrevious: boolean }): Promise<void>;
  /** The last request to the webhook's test address; undefined when none came within a week. */
  lastHookRequest(workflowId: string): Promise<{ request: Json; receivedAt: string } | undefined>;
}
