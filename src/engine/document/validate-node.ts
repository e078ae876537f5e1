import { describeFields } from "../config/describe-fields.ts";
import { fieldProblem } from "../config/parse-config.ts";
import { isVisible } from "../config/field-values.ts";
import type { RunErrorCode } from "../errors.ts";
import { conflictingParameters } from "../template/ai-parameters.ts";
import { compileConfig } from "../template/config-templates.ts";
import { fullReason, portOf } from "./can-connect.ts";
import type { AnyNodeDefinition } from "./define-node.ts";
import type { Port } from "./ports.ts";
import type { CheckedNode, Problem } from "./problem.ts";
import type { NodeRecord, WorkflowDocument } from "./workflow-document.ts";

/** Fields whose value is wrong as it stands, and templates that cannot be read. */
export function configProblems(
  { node, definition }: CheckedNode,
  document: Pick<WorkflowDocument, "privacy">,
): Problem[] {
  const problems: Problem[] = [];
  const add = (field: string | undefined, code: RunErrorCode, message: string, hint: string) => {
    problems.push({ nodeId: node.id, field, severity: "error", code, message, hint });
  };
  const fields = describeFields(definition.config);
  const templates = compileConfig(definition, node.config);
  const templated = new Set(templates.templated.map((one) => one.field.name));
  for (const { field, problem } of templates.problems) {
    templated.add(field.name);
    add(field.name, "expression_error", `${field.label}, ${problem.place}: ${problem.message}`, problem.hint);
  }
  for (const field of fields) {
    if (templated.has(field.name) || !isVisible(field, fields, node.config)) continue;
    const message = fieldProblem(definition.config, field, node.config);
    if (message === undefined) continue;
    if (field.control === "credential") {
      add(
        field.name,
        "invalid_credentials",
        `"${node.title}" has no credential.`,
        "Choose or add one in its settings.",
      );
    } else {
      add(field.name, "invalid_config", message, field.help);
    }
  }
  for (const { field, severity, message, hint, ofText } of definition.check?.(node.config, document) ?? []) {
    if (templated.has(field) && ofText !== true) continue;
    problems.push({ nodeId: node.id, field, severity, code: "invalid_config", message, hint });
  }
  for (const { field, aiCalls } of templates.templated) {
    if (aiCalls.length === 0 || field.ai) continue;
    add(field.name, "expression_error", `${field.label} cannot hold ai(…).`, "Only some fields of tools allow it.");
  }
  for (const name of conflictingParameters(templates)) {
    const field = templates.templated.find((one) => one.aiCalls.some((call) => call.name === name))?.field.name;
    add(field, "expression_error", `ai("${name}") is asked for with two types.`, "Use one type, or two names.");
  }
  return problems;
}

/** Inputs that lack a connection or have one too many; services that nobody uses. */
export function portProblems(checked: CheckedNode, known: ReadonlyMap<string, CheckedNode>): Problem[] {
  const { node, definition, incoming, outgoing } = checked;
  const problems: Problem[] = [];
  const needed = definition.needs?.(node.config) ?? [];
  for (const [name, port] of Object.entries(definition.inputs)) {
    const edges = incoming.filter((edge) => edge.to.port === name);
    const live = edges.filter((edge) => known.get(edge.from.node)?.node.disabled !== true);
    if (port.max !== null && edges.length > port.max) {
      problems.push(connectionProblem(node, fullReason(node.title, port), "Only one connection is possible here."));
    }
    if (port.kind === "main" || live.length >= (needed.includes(name) ? 1 : port.min)) continue;
    const noun = `a ${port.label.toLowerCase()}`;
    const off = edges.length > live.length;
    problems.push(
      connectionProblem(
        node,
        off ? `The ${port.label.toLowerCase()} of "${node.title}" is turned off.` : `"${node.title}" needs ${noun}.`,
        off ? "Turn it on, or connect another." : `Connect ${noun} to its "${port.label}" input.`,
      ),
    );
  }
  if (isService(definition) && outgoing.length === 0) {
    problems.push({
      nodeId: node.id,
      severity: "warning",
      code: "missing_connection",
      message: `"${node.title}" is not connected to an agent.`,
      hint: "Connect it, or remove it.",
    });
  }
  return problems;
}

function connectionProblem(node: NodeRecord, message: string, hint: string): Problem {
  return { nodeId: node.id, severity: "error", code: "missing_connection", message, hint };
}

/** Whether a node only serves others: it has outputs, and none of them is main. */
function isService(definition: AnyNodeDefinition): boolean {
  const ports: Port[] = Object.values(definition.outputs);
  return ports.length > 0 && ports.every((port) => port.kind !== "main");
}

/** Two tools of one name at one agent, those that it brings along itself included. */
export function toolNameProblems(
  { node, definition, incoming }: CheckedNode,
  known: ReadonlyMap<string, CheckedNode>,
): Problem[] {
  const problems: Problem[] = [];
  const first = new Map<string, string>();
  for (const name of definition.ownTools?.(node.config) ?? []) first.set(name, "one of its own");
  for (const edge of incoming) {
    if (portOf(definition.inputs, edge.to.port)?.kind !== "tool") continue;
    const tool = known.get(edge.from.node);
    if (!tool || tool.node.disabled) continue;
    const { fixedToolNames } = tool.definition;
    const names = fixedToolNames ?? [tool.definition.toolName?.(tool.node) ?? []].flat();
    const name = names.find((each) => first.has(each));
    const other = name === undefined ? undefined : first.get(name);
    for (const each of names) if (!first.has(each)) first.set(each, `"${tool.node.title}"`);
    if (name === undefined || other === undefined) continue;
    problems.push({
      nodeId: tool.node.id,
      edgeId: edge.id,
      field: "toolName",
      severity: "error",
      code: "invalid_config",
      message: `"${node.title}" has two tools named "${name}": ${other} and "${tool.node.title}".`,
      hint: fixedToolNames
        ? `The tools of "${tool.node.title}" are always named so: rename the other, or remove one of the two.`
        : `Give "${tool.node.title}" another tool name.`,
    });
  }
  return problems;
}
