import type { JsonSchema } from "../../engine/json.ts";
import { type ExactSchema, schemaWithBareIntegers } from "../../engine/json-schema/bare-integers.ts";

/** A tool's parameters as every vendor accepts them: an object schema, also when the tool takes nothing. */
export function objectSchema(given: JsonSchema): ExactSchema {
  const schema = schemaWithBareIntegers(given);
  if (schema["type"] === "object" && schema["properties"] !== undefined) return schema;
  return { ...schema, type: "object", properties: schema["properties"] ?? {} };
}
