import type { NodeRecord } from "../document/workflow-document.ts";
import type { Json } from "../json.ts";

/** The setting in which a trigger keeps the input that a run starts with when it is started by hand. */
const inputFields: Readonly<Record<string, string>> = { "manual-trigger": "input", "webhook-trigger": "sample" };

/**
 * What a run of these nodes starts with when nobody says: the stored input of a manual trigger, or else the test request
 * of a webhook; `{}` where there is neither. `nodes` are those that are turned on.
 */
export function triggerInput(nodes: readonly NodeRecord[]): Json {
  for (const [type, name] of Object.entries(inputFields)) {
    const trigger = nodes.find((node) => node.type === type);
    if (trigger !== undefined) return trigger.config[name] ?? {};
  }
  return {};
}
