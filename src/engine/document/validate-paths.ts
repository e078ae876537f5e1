import { compileConfig, fallbackOf } from "../template/config-templates.ts";
import { compileTemplate, type Template } from "../template/resolve-template.ts";
import { portOf } from "./can-connect.ts";
import type { CheckedNode, Problem } from "./problem.ts";

/**
 * Templates that can only fail: a path `json.x` where no node before can give an `x`. Only nodes whose output has known
 * keys are judged; a pinned output may hold anything.
 */
export function pathProblems(checked: CheckedNode, known: ReadonlyMap<string, CheckedNode>): Problem[] {
  const { node, definition, outgoing } = checked;
  // A tool's templates read the arguments of its calls.
  const isTool = outgoing.some((edge) => portOf(definition.outputs, edge.from.port)?.kind === "tool");
  const before = isTool ? undefined : outputKeysBefore(checked, known);
  if (!before) return [];
  const keys = new Set(before.keys);
  const titles = before.sources.map(({ node: source }) => `"${source.title}"`).join(" and ");
  const problems: Problem[] = [];
  for (const { field, raw, byText } of compileConfig(definition, node.config).templated) {
    const fallback = fallbackOf(field, raw);
    const templates = [...byText.values()];
    const missing = templates.flatMap((template) => missingKeys(template, keys))[0];
    if (missing === undefined) continue;
    if (fallback !== undefined && missingKeys(compileTemplate(fallback), keys).length === 0) continue;
    problems.push({
      nodeId: node.id,
      field: field.name,
      severity: "error",
      code: "expression_error",
      message: `${field.label}: the output of ${titles} never has "${missing}".`,
      hint: `It has ${[...keys].join(", ")}. Write {{json.response}} for the answer.`,
    });
  }
  return problems;
}

/** The keys that the input of a node may have, and the nodes that give it; undefined where they are not known. */
export function outputKeysBefore(
  { definition, incoming }: CheckedNode,
  known: ReadonlyMap<string, CheckedNode>,
): { keys: string[]; sources: CheckedNode[] } | undefined {
  const sources = incoming
    .filter((edge) => portOf(definition.inputs, edge.to.port)?.kind === "main")
    .flatMap((edge) => known.get(edge.from.node) ?? []);
  const keys = new Set<string>();
  for (const { node: source, definition: given } of sources) {
    const own = source.disabled || source.pin !== undefined ? undefined : given.outputKeys?.(source.config);
    if (own === undefined) return undefined;
    for (const key of own) keys.add(key);
  }
  return sources.length === 0 ? undefined : { keys: [...keys], sources };
}

/** First names after `json` that are not among the keys. */
function missingKeys({ parts }: Template, keys: ReadonlySet<string>): string[] {
  return parts.flatMap((part) => {
    const path = part.kind === "expression" ? part.expression.path : undefined;
    const name = path?.variable === "json" ? path.steps[0]?.key : undefined;
    return typeof name === "string" && !keys.has(name) ? [name] : [];
  });
}
