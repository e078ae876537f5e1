import type { NodeRegistry } from "../engine/document/define-node.ts";
import { definitionOf } from "../engine/document/can-connect.ts";
import { withoutTypedSecrets } from "../engine/document/typed-secrets.ts";
import type { WorkflowDocument } from "../engine/document/workflow-document.ts";
import { agentCode } from "./agent-code.ts";
import { CodeFile, commentText, type ExportNote } from "./code-file.ts";
import { type ExportWork, exportWork } from "./exported-node.ts";
import type { ExportTarget, TargetCode } from "./export-target.ts";
import { flowCode, flowOrder, itemsCode, branchTypes } from "./flow-code.ts";
import { helperCode, helperNames } from "./helper-code.ts";
import { branching, flowNodeBody } from "./node-code.ts";
import { aiSdk } from "./targets/ai-sdk.ts";
import { openaiAgents } from "./targets/openai-agents.ts";

/** A workflow as a program. */
export interface ExportedCode {
  /** One TypeScript module, which exports `run`. */
  code: string;
  /** Exact versions by package. */
  packages: Readonly<Record<string, string>>;
  /** What the program does not have, or has otherwise; at the top of the code as well. */
  notes: readonly ExportNote[];
}

const targets: Readonly<Record<ExportTarget, TargetCode>> = { "openai-agents": openaiAgents, "ai-sdk": aiSdk };

/**
 * Writes a workflow as one TypeScript module for another library. What has no counterpart there is a note and, where it is
 * reached, an error. Neither credentials nor secrets that are typed into fields come along: keys are read from the environment.
 */
export function exportCode(
  whole: WorkflowDocument,
  { target, registry }: { target: ExportTarget; registry: NodeRegistry },
): ExportedCode {
  const file = new CodeFile();
  const { document, removed } = withoutTypedSecrets(whole);
  for (const { title, field } of removed)
    file.note(`“${field}” held what looks like a secret; it was left out.`, title);
  for (const name of [...helperNames, "run"]) file.reserve(name);
  const work = exportWork({ document, registry, file, target: targets[target] });
  const parts = nodeFunctions(work);
  const steps = flowCode(work);
  const main = `${runDocs(document)}
export async function run(input: Json, options: RunOptions = {}): Promise<Json> {
  const nodes: Record<string, Json> = {};
  const vars: Json = ${JSON.stringify(document.vars ?? {})};
  const now = new Date().toISOString();
  const scope: Scope = { nodes, vars, now, options };
${steps}
}`;
  const helpers = helperCode(file);
  const code = [header(work), file.importLines(), types, ...parts.map(withScope), main, helpers]
    .filter((part) => part !== "")
    .join("\n\n");
  return { code: `${code}\n`, packages: sorted(file.packages), notes: file.notes };
}

const types = `/** Any JSON value. */
export type Json = any;

export interface RunOptions {
  /** Decides about a call of a tool, or about a step, that asks first; without it these are refused. */
  approve?: (call: { tool: string; args: Json }) => boolean | Promise<boolean>;
  /** Which trigger starts the run, where there are several. */
  trigger?: string;
}

/** What the steps of a run share. */
interface Scope {
  /** The outputs so far, by the names that expressions use. */
  nodes: Record<string, Json>;
  vars: Json;
  now: string;
  options: RunOptions;
}`;

/** The functions of agents and of the flow's nodes; names first, since agents call each other. */
function nodeFunctions(work: ExportWork): string[] {
  const { document, registry, file, functions } = work;
  const flow = new Set(flowOrder(work));
  const isAgent = (id: string) => definitionOf(registry, document.nodes[id]?.type ?? "")?.role === "agent";
  const isTrigger = (id: string) => definitionOf(registry, document.nodes[id]?.type ?? "")?.role === "trigger";
  const used = Object.values(document.nodes).filter(
    ({ id, type, disabled }) =>
      disabled !== true && !isTrigger(id) && type !== "merge" && (flow.has(id) || isAgent(id)),
  );
  for (const { id, title } of used) functions.set(id, file.name(title));
  for (const node of Object.values(document.nodes)) noteUnused(work, node.id, flow);
  return used.map((node) => {
    if (isAgent(node.id)) return agentCode(work, node);
    const name = functions.get(node.id) ?? "";
    const docs = `/** ${commentText(node.title).replaceAll("*/", "* /")} */`;
    if (branchTypes.has(node.type)) {
      return `${docs}\nasync function ${name}(json: Json, scope: Scope): Promise<Json> {\n  const { options } = scope;\n  void options;\n${itemsCode(work, node.id)}\n}`;
    }
    const body = flowNodeBody(work, node) ?? missingBody(work, node.id);
    const gives = branching.has(node.type) ? "Record<string, Json>" : "Json";
    return `${docs}\nasync function ${name}(json: Json, scope: Scope): Promise<${gives}> {\n${body}\n}`;
  });
}

function missingBody({ document, file }: ExportWork, id: string): string {
  const node = document.nodes[id];
  const title = node?.title ?? id;
  file.note("This step needs the studio. The run fails where it is reached; put code of your own in its place.", title);
  return `  return ${file.helper("notCarried")}(${JSON.stringify(`The step “${title}” (${node?.type ?? ""})`)});`;
}

/** Nodes that no trigger reaches, and notes on the canvas. */
function noteUnused({ document, registry, file }: ExportWork, id: string, flow: ReadonlySet<string>): void {
  const node = document.nodes[id];
  const role = definitionOf(registry, node?.type ?? "")?.role;
  if (node === undefined || role !== "flow" || flow.has(id) || ["sticky-note", "group"].includes(node.type)) return;
  file.note("No trigger leads to it, so it is left out.", node.title);
}

/** Takes what a function uses of the run out of its scope. */
function withScope(code: string): string {
  const open = code.indexOf("scope: Scope)");
  const start = code.indexOf("{\n", open) + 2;
  const body = code.slice(start);
  const used = ["nodes", "vars", "now"].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return used.length === 0 ? code : `${code.slice(0, start)}  const { ${used.join(", ")} } = scope;\n${body}`;
}

function header({ document, file, target }: ExportWork): string {
  // Imports that only helpers need are known by now.
  const packages = Object.entries(sorted(file.packages)).map(([name, version]) => `${name}@${version}`);
  const lines = [
    `“${commentText(document.name)}”, exported from Switchyard for ${target.title}.`,
    ...(document.description ? [commentText(document.description)] : []),
    "",
    `npm install ${packages.join(" ")}`,
    ...(file.environment.size > 0 ? ["", "Environment:"] : []),
    ...[...file.environment].map(([name, what]) => `  ${name}: ${commentText(what)}`),
    ...(file.notes.length > 0 ? ["", "Not as in the studio:"] : []),
    ...file.notes.map(
      ({ node, note }) => `  ${node === undefined ? "" : `${commentText(node)}: `}${commentText(note)}`,
    ),
  ];
  return lines.map((line) => (line === "" ? "//" : `// ${line}`)).join("\n");
}

function runDocs({ name }: WorkflowDocument): string {
  return `/** Runs “${commentText(name).replaceAll("*/", "* /")}” once; gives the output of its last step. */`;
}

function sorted(packages: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
