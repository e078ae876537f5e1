import { useMemo } from "react";
import { isHarmless } from "../../engine/json-schema/bounded-check.ts";
import { argumentProblems } from "../../engine/json-schema/schema-check.ts";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";

const none: Readonly<Record<string, string>> = {};

/** What is wrong with arguments, by their names; nothing where the check would take long, since the run makes it anyway. */
export function useArgumentProblems(schema: JsonSchema, input: JsonObject): Readonly<Record<string, string>> {
  return useMemo(
    () => (isHarmless({ schema, value: input }) ? argumentProblems(schema, input) : none),
    [schema, input],
  );
}
