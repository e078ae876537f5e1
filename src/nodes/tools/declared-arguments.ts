import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

/** The arguments that a schema declares, by their names. */
export function declaredIn(schema: Json | undefined): JsonObject {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? properties : {};
}
