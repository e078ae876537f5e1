import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { singleSelectedNode } from "../editor/canvas-store.ts";
import { withMembers } from "../editing/group-members.ts";
import { canPass, type Off, offOf } from "../editing/node-off.ts";
import type { Command, CommandContext } from "./command.ts";

/** The selected nodes that can run; a group stands for those that are in it. */
function selectedNodes({ document, canvas, registry }: CommandContext): NodeRecord[] {
  const { nodes } = document.getState().document;
  const ids = withMembers(nodes, registry, Object.keys(canvas.getState().selection.nodes));
  return ids.flatMap((id) => nodes[id] ?? []).filter(({ type }) => definitionOf(registry, type)?.drawnAs === undefined);
}

/** Whether a node is off in this way. For one that nothing can pass by there is but one. */
function isOff({ registry }: CommandContext, node: NodeRecord, off: Off): boolean {
  const now = offOf(registry, node);
  return now === off || (now !== null && !canPass(registry, node));
}

/** Whether all of them are off already, so that a toggle turns them on again. */
function areOff(context: CommandContext, nodes: readonly NodeRecord[], off: Off): boolean {
  return nodes.every((node) => isOff(context, node, off));
}

function toggle(context: CommandContext, nodes: readonly NodeRecord[], off: Off): void {
  const store = context.document.getState();
  const back = areOff(context, nodes, off);
  const stopping = new Set(
    nodes.filter((node) => off === "disabled" && canPass(context.registry, node)).map(({ id }) => id),
  );
  store.edit(back ? "Enable" : off === "disabled" ? "Disable" : "Bypass", (document) => {
    for (const { id } of nodes) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      delete node.stops;
      delete node.disabled;
      if (back) continue;
      node.disabled = true;
      if (stopping.has(id)) node.stops = true;
    }
  });
}

/**
 * Turns the selected nodes off, or on again when all of them are off. A node that is off is left out of runs, and what
 * follows only from it is skipped.
 */
export function toggleDisabled(context: CommandContext): void {
  toggle(context, selectedNodes(context), "disabled");
}

/** Lets input pass the selected nodes of the main flow by, or not any more when all of them are passed by. */
export function toggleBypass(context: CommandContext): void {
  toggle(context, passable(context), "bypassed");
}

function passable(context: CommandContext): NodeRecord[] {
  return selectedNodes(context).filter((node) => canPass(context.registry, node));
}

/** "Disable", or "Disable 3 nodes". */
function ofNodes(verb: string, { length }: readonly NodeRecord[]): string {
  return length === 1 ? verb : `${verb} ${length} nodes`;
}

const one = (context: CommandContext) => singleSelectedNode(context.canvas.getState());

const onOne = (act: (context: CommandContext, nodeId: string) => void) => (context: CommandContext) => {
  const nodeId = one(context);
  if (nodeId !== null) act(context, nodeId);
};

export const nodeCommands: readonly Command[] = [
  {
    id: "toggle-disabled",
    label: "Disable or enable",
    labelNow: (context) => {
      const nodes = selectedNodes(context);
      return ofNodes(areOff(context, nodes, "disabled") ? "Enable" : "Disable", nodes);
    },
    group: "Node",
    icon: "power",
    keys: ["d"],
    when: (context) => selectedNodes(context).length > 0,
    run: toggleDisabled,
  },
  {
    id: "toggle-bypass",
    label: "Bypass or restore",
    labelNow: (context) => {
      const nodes = passable(context);
      return ofNodes(areOff(context, nodes, "bypassed") ? "Stop bypassing" : "Bypass", nodes);
    },
    group: "Node",
    icon: "signpost",
    keys: ["b"],
    when: (context) => passable(context).length > 0,
    run: toggleBypass,
  },
  {
    id: "rename",
    label: "Rename",
    group: "Node",
    icon: "pencil",
    keys: ["f2"],
    when: (context) => one(context) !== null,
    run: onOne(({ canvas }, nodeId) => canvas.getState().set({ editing: { nodeId, part: "title" } })),
  },
  {
    id: "extend",
    label: "Add a connected node",
    group: "Node",
    icon: "plus",
    keys: ["a"],
    when: (context) => one(context) !== null,
    run: onOne(({ canvas }, nodeId) => canvas.getState().set({ picker: { kind: "extend", nodeId } })),
  },
  {
    id: "connect",
    label: "Connect to…",
    group: "Node",
    icon: "plug",
    keys: ["c"],
    when: (context) => one(context) !== null,
    run: onOne(({ canvas }, nodeId) => canvas.getState().set({ picker: { kind: "connect", nodeId } })),
  },
];
