import { definitionOf } from "../../engine/document/can-connect.ts";
import { newNode } from "../../engine/document/new-document.ts";
import { markForReview } from "../../engine/document/review.ts";
import type { NodeRecord, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { singleSelectedNode } from "../editor/canvas-store.ts";
import { findConnection } from "../editing/find-connection.ts";
import { nodeGeometry } from "../editing/node-geometry.ts";
import { freePlace, placeBeside } from "../editing/place-node.ts";
import { uniqueTitle } from "../editing/unique-title.ts";
import type { NodeStart } from "./add-node.ts";
import type { CommandContext } from "./command.ts";

/** The agent that new tools are for: the selected one, or the only one of the workflow. */
export function agentForTools({ canvas, document, registry }: CommandContext): NodeRecord | undefined {
  const { nodes } = document.getState().document;
  const isAgent = ({ type }: NodeRecord) => definitionOf(registry, type)?.role === "agent";
  const selected = nodes[singleSelectedNode(canvas.getState()) ?? ""];
  if (selected && isAgent(selected)) return selected;
  const agents = Object.values(nodes).filter(isAgent);
  return agents.length === 1 ? agents[0] : undefined;
}

/**
 * Adds tools of one type as one undo step, wired to the agent that they are for where there is one. What they would contact was
 * written by somebody else, so a person has to review them before a run takes them. Selects and returns them.
 */
export function addTools(context: CommandContext, type: string, starts: readonly NodeStart[]): string[] {
  const definition = definitionOf(context.registry, type);
  if (definition === undefined || starts.length === 0) return [];
  const agent = agentForTools(context);
  const store = context.document.getState();
  const ids: string[] = [];
  store.edit(starts.length === 1 ? "Add a tool" : `Add ${starts.length} tools`, (document) => {
    for (const { title, config } of starts) {
      const size = nodeGeometry(definition);
      const port = definition.outputs["tool"];
      const owner = agent && nodeGeometry(definitionOf(context.registry, agent.type));
      const input = agent && definitionOf(context.registry, agent.type)?.inputs["tools"];
      const center = context.canvas.getState().controls?.center() ?? { x: 0, y: 0 };
      const wanted = agent && owner && input && port ? placeBeside(agent.position, owner, input, size) : center;
      const node = newNode(definition, {
        id: context.newId(),
        position: freePlace(document, context.registry, wanted, size),
        title: uniqueTitle(document, title),
        config,
      });
      Object.assign(document.nodes, markForReview({ [node.id]: node }, context.registry));
      ids.push(node.id);
      if (agent) connect(document, context, node.id, agent.id);
    }
  });
  context.canvas.getState().select(ids);
  return ids;
}

function connect(document: WorkflowDocument, { registry, newId }: CommandContext, tool: string, agent: string): void {
  const connection = findConnection(document, registry, tool, agent);
  if (connection === undefined) return;
  const id = newId();
  document.edges[id] = { id, ...connection };
}
