import type { JsonSchema } from "../../engine/json.ts";

/** A tool's parameters as every vendor accepts them: an object schema, also when the tool takes nothing. */
export function objectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === "object" && schema.properties !== undefined) return schema;
  return { ...schema, type: "object", properties: schema.properties ?? {} };
}
