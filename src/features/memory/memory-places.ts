import { z } from "zod";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { MemoryPlace } from "../../stores/services.ts";

/** A place with its name and a key that tells it from the others. */
export interface NamedPlace {
  key: string;
  title: string;
  place: MemoryPlace;
}

const redisConfig = z.object({
  credential: z.string().min(1),
  keyPrefix: z.string().default("agent:memory:"),
  ttlSeconds: z.number().int().min(0).catch(0).default(0),
});

/**
 * Where the memories of a workflow keep conversations: always the database, this tab where a buffer memory keeps them
 * there, and each Redis that a memory node names.
 */
export function memoryPlaces(document: Pick<WorkflowDocument, "nodes">): NamedPlace[] {
  const places = new Map<string, NamedPlace>();
  const add = (place: NamedPlace) => void (places.has(place.key) || places.set(place.key, place));
  add({ key: "postgres", title: "Database", place: { storage: "postgres" } });
  for (const { type, title, config } of Object.values(document.nodes)) {
    if (type === "buffer-memory" && (config["storage"] ?? "memory") === "memory")
      add({ key: "tab", title: "This tab", place: { storage: "tab" } });
    if (type !== "redis-memory") continue;
    const redis = redisConfig.safeParse(config);
    if (!redis.success) continue;
    const { credential, keyPrefix } = redis.data;
    add({ key: JSON.stringify([credential, keyPrefix]), title, place: { storage: "redis", ...redis.data } });
  }
  return [...places.values()];
}
