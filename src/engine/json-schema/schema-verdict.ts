import type { Json, JsonSchema } from "../json.ts";

/** A value to check against a JSON Schema. */
export interface SchemaRequest {
  schema: JsonSchema;
  value: Json;
}

/** Whether it fits, or why not, in words for the model. */
export type SchemaVerdict = { ok: true } | { ok: false; reason: string };

/** Checks values against one schema, each within a limited time. Rejects only with the signal's reason. */
export type SchemaCheck = (value: Json) => Promise<SchemaVerdict>;
