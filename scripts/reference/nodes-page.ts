import type { AnyNodeDefinition, NodeRole } from "../../src/engine/document/define-node.ts";
import type { Port, Ports } from "../../src/engine/document/ports.ts";
import type { Reach } from "../../src/engine/document/reach.ts";
import { nodeTypes } from "../../src/nodes/index.ts";
import { fieldTable } from "./field-table.ts";
import { anchor, code, plain, table } from "./markdown.ts";

const roles: Record<NodeRole, { title: string; about: string }> = {
  trigger: { title: "Triggers", about: "Start a run. A workflow has at least one." },
  agent: { title: "Agent", about: "Runs the loop of model calls and tool calls." },
  model: {
    title: "Models",
    about:
      "Answer an agent. Wire one to the agent's **Model** input. With a key they need a [credential](credentials.md).",
  },
  memory: { title: "Memories", about: "Keep an agent's conversations. Wire one to the agent's **Memory** input." },
  tool: { title: "Tools", about: "What an agent's model may call. Wire any number to the agent's **Tools** input." },
  flow: { title: "Flow", about: "Steps before, between and after agents." },
};

const reachWords: Record<Reach["to"], string> = {
  host: "the web server at the address in its settings",
  server: "the server of its credential",
  database: "the database of its credential",
  code: "the code sandbox",
  model: "a model",
  embeddings: "a vendor's embeddings",
  transcription: "a vendor's transcription",
  conversations: "stored conversations",
  knowledge: "stored documents",
  workflow: "another saved workflow",
  studio: "the workflow open in the editor, and its runs",
  callers: "input from whoever may call the published workflow",
};

/** Every node type of the registry with its ports, what it reaches and its settings. */
export function nodesPage(): string {
  return [
    "# Nodes",
    "Every node type with its ports and settings. The name in code style is the one that workflow files and API calls use.",
    "Settings that take a template may hold [expressions](expressions.md); the word beside it says [where the value goes](expressions.md#where-a-value-goes). Which ports fit together is told in [Concepts](../concepts.md#ports-and-connections).",
    ...Object.entries(roles).flatMap(([role, words]) =>
      section(
        nodeTypes.filter((one) => one.role === role),
        words,
      ),
    ),
  ].join("\n\n");
}

function section(definitions: readonly AnyNodeDefinition[], { title, about }: { title: string; about: string }) {
  const list = definitions.map((one) => `- [${plain(one.title)}](#${anchor(heading(one))}): ${plain(one.summary)}`);
  return [`## ${title}`, about, list.join("\n"), ...definitions.flatMap(node)];
}

/** Titles alone repeat: a tool and a step of the flow may share one. */
function heading({ title, type }: AnyNodeDefinition): string {
  return `${title}: ${type}`;
}

function node(definition: AnyNodeDefinition): string[] {
  const { title, type, summary, hidden, inputs, outputs, reach, config } = definition;
  const reached = [...new Set(reach.map(({ to }) => reachWords[to]))];
  return [
    `### ${plain(title)}: ${code(type)}`,
    plain(summary),
    ...(hidden === true ? ["Not offered in the catalogue: only imports and the studio itself make it."] : []),
    ports(inputs, outputs),
    `Reaches: ${reached.length === 0 ? "nothing outside the run" : reached.join(", ")}.`,
    fieldTable(config),
  ].filter((part) => part !== "");
}

function ports(inputs: Ports, outputs: Ports): string {
  const rows = [
    ...Object.entries(inputs).map(([name, port]) => portRow("in", name, port)),
    ...Object.entries(outputs).map(([name, port]) => portRow("out", name, port)),
  ];
  return rows.length === 0 ? "It has no ports." : table(["Port", "Name", "Kind", "Connections"], rows);
}

function portRow(direction: string, name: string, { kind, label, min, max }: Port): string[] {
  const count =
    max === null ? (min === 0 ? "any number" : `${min} or more`) : min === max ? `exactly ${max}` : `${min} to ${max}`;
  return [`${direction}: ${plain(label)}`, code(name), kind, count];
}
