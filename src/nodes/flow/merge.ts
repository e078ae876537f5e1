import { z } from "zod/mini";
import { field } from "../../engine/config/field.ts";
import { defineNode } from "../../engine/document/define-node.ts";
import { many, out } from "../../engine/document/ports.ts";
import { nowhere } from "../../engine/document/reach.ts";
import { isJsonObject, type Json, type JsonObject } from "../../engine/json.ts";

/** Fields of all objects in one; later ones win, and what is no object is left out. */
function combined(values: readonly Json[]): JsonObject {
  return values.filter(isJsonObject).reduce<JsonObject>((all, value) => ({ ...all, ...value }), {});
}

export const merge = defineNode({
  type: "merge",
  version: 1,
  role: "flow",
  title: "Merge",
  summary: "Joins several branches into one.",
  keywords: ["join", "combine", "wait for all", "parallel", "sync", "bring together"],
  icon: "merge",
  config: z.object({
    mode: field(z._default(z.enum(["all", "first"]), "all"), {
      label: "Mode",
      help: "All: waits for every branch that runs. First: goes on with the first result.",
    }),
    combine: field(z._default(z.enum(["list", "object"]), "list"), {
      label: "Result",
      help: "List: the results in the order of their wires. Object: their fields in one object.",
      visibleWhen: { field: "mode", in: ["all"] },
    }),
  }),
  inputs: { main: many("main", { label: "Inputs" }) },
  outputs: { main: out("main", { label: "Output" }) },
  reach: nowhere,
  startsWhen: ({ mode }) => (mode === "first" ? "first" : "all"),
  describe: ({ mode }) => (mode === "first" ? "First to arrive" : "Waits for all"),
  run({ config, inputs }): Json {
    if (config.mode === "first") return inputs.main[0] ?? null;
    return config.combine === "object" ? combined(inputs.main) : inputs.main;
  },
});
