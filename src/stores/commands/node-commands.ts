import { singleSelectedNode } from "../canvas-store.ts";
import type { Command, CommandContext } from "./command.ts";
import { hasSelectedNodes } from "./delete-selection.ts";

function selectedIds(context: CommandContext): string[] {
  return Object.keys(context.canvas.getState().selection.nodes);
}

/** Turns the selected nodes off, or on again when all of them are off. A node that is off is left out of runs. */
export function toggleDisabled(context: CommandContext): void {
  const ids = selectedIds(context);
  const store = context.document.getState();
  const allOff = ids.every((id) => store.document.nodes[id]?.disabled === true);
  store.mark();
  store.commit(allOff ? "Enable" : "Disable", (document) => {
    for (const id of ids) {
      const node = document.nodes[id];
      if (node === undefined) continue;
      if (allOff) delete node.disabled;
      else node.disabled = true;
    }
  });
  store.mark();
}

const one = (context: CommandContext) => singleSelectedNode(context.canvas.getState());

export const nodeCommands: readonly Command[] = [
  {
    id: "toggle-disabled",
    label: "Disable or enable",
    group: "Node",
    icon: "power",
    keys: ["d"],
    when: hasSelectedNodes,
    run: toggleDisabled,
  },
  {
    id: "rename",
    label: "Rename",
    group: "Node",
    icon: "pencil",
    keys: ["f2"],
    when: (context) => one(context) !== null,
    run: (context) => {
      const nodeId = one(context);
      if (nodeId !== null) context.canvas.getState().set({ focusField: { nodeId, field: "title" } });
    },
  },
  {
    id: "connect",
    label: "Connect to…",
    group: "Node",
    icon: "plug",
    keys: ["c"],
    when: (context) => one(context) !== null,
    run: (context) => {
      const nodeId = one(context);
      if (nodeId !== null) context.canvas.getState().set({ picker: { kind: "connect", nodeId } });
    },
  },
];
