import type { Command, CommandContext } from "./command.ts";

function onlySelectedEdge({ canvas }: CommandContext): string | undefined {
  const { nodes, edges } = canvas.getState().selection;
  const ids = Object.keys(edges);
  return Object.keys(nodes).length === 0 && ids.length === 1 ? ids[0] : undefined;
}

export const insertCommand: Command = {
  id: "insert-node",
  label: "Insert a node here",
  group: "Node",
  icon: "plus",
  keys: ["i"],
  when: (context) => onlySelectedEdge(context) !== undefined,
  run: (context) => {
    const edgeId = onlySelectedEdge(context);
    if (edgeId !== undefined) context.canvas.getState().set({ picker: { kind: "insert", edgeId } });
  },
};
