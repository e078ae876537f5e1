import { compileConfig } from "../template/config-templates.ts";
import { namesInDefault, type ReadName } from "../template/default-paths.ts";
import { nearestName } from "../template/nearest-name.ts";
import { portOf } from "./can-connect.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import { nodeSlugs } from "./slug.ts";
import { outputKeysBefore } from "./validate-paths.ts";
import type { WorkflowDocument } from "./workflow-document.ts";

const always = ["json", "nodes", "workflow", "run", "now", "vars"] as const;

/** What `workflow` and `run` hold. */
const fixedKeys: Readonly<Record<string, readonly string[]>> = { workflow: ["id", "name"], run: ["id", "depth"] };

/**
 * Defaults of `ai(…)` that can only fail: the model rarely leaves such a part out, so a run would say it late. They name a variable
 * that there is not, a node that does not run before the agent, or a key that the agent's input never has.
 */
export function defaultProblems(
  checked: CheckedNode,
  known: ReadonlyMap<string, CheckedNode>,
  document: Pick<WorkflowDocument, "nodes">,
): Problem[] {
  const { node, definition } = checked;
  const calls = compileConfig(definition, node.config).templated.flatMap(({ field, aiCalls }) =>
    aiCalls.map((call) => ({ field, call, names: namesInDefault(call) })),
  );
  if (calls.every(({ names }) => names.length === 0)) return [];
  const owners = ownersOf(checked, known);
  // Nobody uses it: that is said already, and nothing is known of what comes before.
  if (owners.length === 0) return [];
  const scope = scopeOf(owners, known, document);
  return calls.flatMap(({ field, call, names }) => {
    const wrong = names.map((name) => missingIn(name, scope)).find((problem) => problem !== undefined);
    if (!wrong) return [];
    return [
      {
        nodeId: node.id,
        field: field.name,
        severity: "error" as const,
        code: "expression_error" as const,
        message: `${field.label}: the default of ai("${call.name}") cannot be worked out: ${wrong.message}`,
        hint: wrong.hint,
      },
    ];
  });
}

interface Scope {
  /** Names of the nodes that run before, by which expressions reach them. */
  before: readonly string[];
  /** Those of all other nodes. */
  others: ReadonlySet<string>;
  /** Keys of the agent's input; undefined where they are not known. */
  inputKeys: readonly string[] | undefined;
}

function missingIn({ variable, key }: ReadName, scope: Scope): Pick<Problem, "message" | "hint"> | undefined {
  if (variable === "nodes") return key === undefined ? undefined : missingNode(key, scope);
  if (!always.some((name) => name === variable)) return missingNode(variable, scope);
  if (key === undefined) return undefined;
  const keys = variable === "json" ? scope.inputKeys : fixedKeys[variable];
  if (keys === undefined || keys.includes(key)) return undefined;
  const near = nearestName(key, keys);
  return {
    message: `"${variable}.${key}" does not exist.`,
    hint: near === undefined ? `There is: ${keys.join(", ")}.` : `Did you mean "${variable}.${near}"?`,
  };
}

function missingNode(name: string, { before, others }: Scope): Pick<Problem, "message" | "hint"> | undefined {
  if (before.includes(name)) return undefined;
  if (others.has(name))
    return { message: `"${name}" does not run before the agent.`, hint: "Name a node that runs before it." };
  const names = [...always, ...before];
  const near = nearestName(name, names);
  return {
    message: `"${name}" does not exist.`,
    hint: near === undefined ? `There is: ${names.join(", ")}.` : `Did you mean "${near}"?`,
  };
}

/** The nodes of the main flow that use a tool, also by way of other agents. */
function ownersOf(tool: CheckedNode, known: ReadonlyMap<string, CheckedNode>): CheckedNode[] {
  const owners = new Set<CheckedNode>();
  const seen = new Set([tool]);
  // A set that grows is gone through to its new end.
  for (const each of seen) {
    const services = each.outgoing.filter((edge) => portOf(each.definition.outputs, edge.from.port)?.kind !== "main");
    if (services.length === 0 || each.incoming.some((edge) => kindOf(each, edge.to.port) === "main")) owners.add(each);
    for (const edge of services) {
      const next = known.get(edge.to.node);
      if (next) seen.add(next);
    }
  }
  owners.delete(tool);
  return [...owners];
}

function kindOf({ definition }: CheckedNode, port: string) {
  return portOf(definition.inputs, port)?.kind;
}

function scopeOf(
  owners: readonly CheckedNode[],
  known: ReadonlyMap<string, CheckedNode>,
  document: Pick<WorkflowDocument, "nodes">,
): Scope {
  const before = new Set<string>();
  const open = [...owners];
  for (const each of open)
    for (const edge of each.incoming) {
      const source = known.get(edge.from.node);
      if (!source || before.has(source.node.id) || kindOf(each, edge.to.port) !== "main") continue;
      before.add(source.node.id);
      open.push(source);
    }
  const slugs = nodeSlugs(document);
  const names = [...before].flatMap((id) => slugs.get(id) ?? []);
  const [only, ...more] = owners;
  return {
    before: names,
    others: new Set([...slugs.values()].filter((slug) => !names.includes(slug))),
    inputKeys: only && more.length === 0 ? outputKeysBefore(only, known)?.keys : undefined,
  };
}
