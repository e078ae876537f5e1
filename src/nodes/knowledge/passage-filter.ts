import type { Json, JsonObject } from "../../engine/json.ts";

/** A filter as it is typed, as metadata are stored: places are numbers, names are text. Empty values are ignored. */
export function storedFilter(filter: Record<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, text]): [string, Json][] => {
      const value = text.trim();
      if (value === "") return [];
      return [[name, name !== "document" && /^\d{1,15}$/.test(value) ? Number(value) : value]];
    }),
  );
}

/** What a stored filter asks for, "document handbook.md and page 3"; empty where it asks for nothing. */
export function filterWords(filter: JsonObject): string {
  return Object.entries(filter)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(" and ");
}
