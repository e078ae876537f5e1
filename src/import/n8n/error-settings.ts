import { describeFields } from "../../engine/config/describe-fields.ts";
import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { Made } from "./made.ts";
import type { N8nNode } from "./read-n8n.ts";

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, Math.round(value)));

/** The node with what n8n's says of its failures, as far as its kind has the settings for it. */
export function withErrorSettings(made: Made, node: N8nNode, registry: NodeRegistry): Made {
  const definition = made.type === undefined ? undefined : definitionOf(registry, made.type);
  if (!definition) return made;
  const names = new Set(describeFields(definition.config).map(({ name }) => name));
  const config: JsonObject = { ...made.config };
  if (node.onError === "continue" && names.has("onError")) {
    if (config.onError !== "retry") config.onError = "continue";
    for (const key of ["onError", "continueOnFail"]) node.settings.mark([key]);
  }
  if (node.retries > 0 && names.has("retries")) {
    const repeated = {
      ...config,
      retries: clamp(node.retries, 0, 5),
      ...(node.retryDelay === undefined || !names.has("retryDelayMs")
        ? {}
        : { retryDelayMs: clamp(node.retryDelay, 100, 60_000) }),
    };
    // A request that sends something is not repeated by itself.
    if (config.onError === "retry" || definition.repeats?.(repeated) !== undefined) {
      Object.assign(config, repeated);
      for (const key of ["retryOnFail", "maxTries", "waitBetweenTries"]) node.settings.mark([key]);
    }
  }
  return { ...made, config };
}
