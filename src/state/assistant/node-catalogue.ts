import { describeFields, type FieldDescription } from "../../engine/config/describe-fields.ts";
import type { AnyNodeDefinition, NodeRegistry } from "../../engine/document/define-node.ts";
import type { Ports } from "../../engine/document/ports.ts";
import type { Json, JsonObject } from "../../engine/json.ts";

const mostFound = 8;

/** Node types that a person could add. */
export function offeredTypes(registry: NodeRegistry): AnyNodeDefinition[] {
  return Object.values(registry).filter(({ hidden }) => hidden !== true);
}

/** The node types that fit some words best, each in a line; the whole catalogue where the words are empty. */
export function searchNodeTypes(registry: NodeRegistry, query: string): JsonObject[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const scored = offeredTypes(registry).map((definition) => {
    const { type, title, summary, role } = definition;
    const score = words.reduce((sum, word) => {
      if (type.includes(word) || title.toLowerCase().includes(word)) return sum + 3;
      if (role === word) return sum + 2;
      return summary.toLowerCase().includes(word) ? sum + 1 : sum;
    }, 0);
    return { definition, score };
  });
  const fitting = words.length === 0 ? scored : scored.filter(({ score }) => score > 0);
  return fitting
    .toSorted((a, b) => b.score - a.score)
    .slice(0, words.length === 0 ? scored.length : mostFound)
    .map(({ definition: { type, role, title, summary } }) => ({ type, role, title, summary }));
}

/** Ports and settings of a node type. Credentials are left out: a person chooses them. */
export function describeNodeType(definition: AnyNodeDefinition): JsonObject {
  const { type, role, title, summary, inputs, outputs, config } = definition;
  // What templates of the next node find in `json`.
  const gives = definition.outputKeys?.({}) ?? [];
  const settings = describeFields(config)
    .filter((field) => field.hidden !== true && field.control !== "credential")
    .map((field): [string, Json] => [field.name, describeSetting(field)]);
  return {
    type,
    role,
    title,
    summary,
    inputs: ports(inputs),
    outputs: ports(outputs),
    ...(gives.length > 0 ? { gives: [...gives] } : {}),
    config: Object.fromEntries(settings),
  };
}

function ports(all: Ports): JsonObject {
  return Object.fromEntries(
    Object.entries(all).map(([name, { kind, min, max }]) => [
      name,
      `${kind}, ${max === null ? (min === 0 ? "any number" : `${min} or more`) : min === max ? `exactly ${max}` : `at most ${max}`}`,
    ]),
  );
}

function describeSetting(field: FieldDescription): JsonObject {
  return {
    control: field.control,
    help: field.help,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.options ? { options: [...field.options] } : {}),
    ...(field.required ? { required: true } : {}),
    ...(field.template === undefined ? {} : { template: true }),
    ...(field.ai ? { ai: true } : {}),
    ...(field.min === undefined ? {} : { min: field.min }),
    ...(field.max === undefined ? {} : { max: field.max }),
  };
}
