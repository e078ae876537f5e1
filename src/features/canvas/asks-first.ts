import { describeFields } from "../../engine/config/describe-fields.ts";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";

const words: Readonly<Record<string, string>> = {
  ask: "Asks you before every call",
  once: "Asks you before the first call of a run",
  writes: "Asks you before calls that change data",
};

/** That a tool asks a person first, in words; undefined for one that does not, or only after reading untrusted texts. */
export function asksFirst(definition: AnyNodeDefinition | undefined, config: JsonObject): string | undefined {
  if (definition?.role !== "tool" || config["dryRun"] === true) return undefined;
  const usual = describeFields(definition.config).find(({ name }) => name === "approval")?.default;
  const approval = config["approval"] ?? usual;
  if (approval === "writes" && config["readOnly"] !== false) return undefined;
  return typeof approval === "string" ? words[approval] : undefined;
}
