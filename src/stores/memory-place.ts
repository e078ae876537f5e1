import { z } from "zod";
import type { NodeRecord } from "../engine/document/workflow-document.ts";
import type { MemoryPlace } from "./services.ts";

const redisConfig = z.object({
  credential: z.string().min(1),
  keyPrefix: z.string().default("agent:memory:"),
  ttlSeconds: z.number().int().min(0).catch(0).default(0),
});

/** Where a memory node keeps its conversations; null for a Redis that is not set up yet. */
export function placeOfMemory({ type, config }: Pick<NodeRecord, "type" | "config">): MemoryPlace | null {
  if (type === "buffer-memory" && (config["storage"] ?? "memory") === "memory") return { storage: "tab" };
  if (type !== "redis-memory") return { storage: "postgres" };
  const redis = redisConfig.safeParse(config);
  return redis.success ? { storage: "redis", ...redis.data } : null;
}
