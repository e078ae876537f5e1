import type { JsonObject } from "../../engine/json.ts";
import type { Mapper, Mappers } from "./made.ts";
import type { NodeWork } from "./node-work.ts";

const isMemoryEdge = (kind: string) => (kind === "ai_memory" ? "memory" : undefined);

/** n8n's window counts exchanges of two messages. */
function windowOf(work: NodeWork): JsonObject {
  const pairs = work.number("contextWindowLength");
  return { maxMessages: Math.min(100, Math.max(1, Math.round((pairs ?? 5) * 2))) };
}

function sessionOf(work: NodeWork): JsonObject {
  if (work.choice("sessionIdType", ["customKey", "fromInput"], "customKey") === "fromInput") return {};
  const key = work.at("sessionKey") ?? work.at("sessionId");
  if (key === undefined || key === "") return {};
  if (typeof key === "string" && /^=?\s*\{\{\s*\$json\.sessionId\s*\}\}$/.test(key)) {
    // The session is the chat's own where none is set.
    work.standsFor(key, "");
    return {};
  }
  return { sessionId: work.textOf(key) };
}

function memory(type: string, config: (work: NodeWork) => JsonObject, note = ""): Mapper {
  return (work) => ({
    type,
    config: { ...config(work), ...sessionOf(work) },
    output: isMemoryEdge,
    ...(note === "" ? {} : { outcome: "approximated", note }),
  });
}

const inDatabase = (where: string) =>
  memory(
    "window-memory",
    windowOf,
    `Conversations are kept in the studio's database instead of ${where}; earlier ones do not come along.`,
  );

/** Memories, by n8n's names. */
export const memoryNodes: Mappers = {
  memoryBufferWindow: memory("window-memory", windowOf),
  memoryBuffer: memory("buffer-memory", () => ({ storage: "postgres" })),
  memoryPostgresChat: inDatabase("your own table"),
  memoryRedisChat: (work) => ({
    ...memory("redis-memory", (one) => {
      const ttl = one.number("sessionTTL");
      return { ...windowOf(one), ...(ttl === undefined ? {} : { ttlSeconds: Math.max(0, Math.round(ttl)) }) };
    })(work),
    needs: "a Redis credential",
  }),
  memoryMongoDbChat: inDatabase("MongoDB"),
  memoryXata: inDatabase("Xata"),
  memoryZep: inDatabase("Zep"),
  memoryZepCloud: inDatabase("Zep"),
  memoryMotorhead: inDatabase("Motorhead"),
  memoryMem0: inDatabase("Mem0"),
};

/** A memory of a type that is not known by name. */
export const anyMemory: Mapper = inDatabase("where it was");
