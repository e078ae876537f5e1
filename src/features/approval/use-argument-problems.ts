import { useQuery } from "@tanstack/react-query";
import type { JsonObject, JsonSchema } from "../../engine/json.ts";

const none: Readonly<Record<string, string>> = {};

/** What is wrong with arguments, by their names; nothing where the check would take long, since the run makes it anyway. */
export function useArgumentProblems(schema: JsonSchema, input: JsonObject): Readonly<Record<string, string>> {
  // The validator comes with a run's code, which may not be here yet.
  const check = useQuery({ queryKey: ["argument-check"], queryFn: loadCheck, staleTime: Infinity, gcTime: Infinity });
  return check.data?.(schema, input) ?? none;
}

async function loadCheck() {
  const [{ argumentProblems }, { isHarmless }] = await Promise.all([
    import("../../engine/json-schema/schema-check.ts"),
    import("../../engine/json-schema/bounded-check.ts"),
  ]);
  return (schema: JsonSchema, input: JsonObject) =>
    isHarmless({ schema, value: input }) ? argumentProblems(schema, input) : none;
}
