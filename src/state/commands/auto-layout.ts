import { isGroup } from "../editing/group-members.ts";
import { type Layout, layoutWorkflow } from "../editing/layout-workflow.ts";
import type { CommandContext } from "./command.ts";

/** Milliseconds after which a person is told what takes so long. */
const patience = 400;

/**
 * The layout of the graph as it is in the end: what is changed while it is worked out begins it again. Gives up on the
 * newest changes of someone who does not stop.
 */
async function currentLayout(context: CommandContext, only: readonly string[] | undefined): Promise<Layout> {
  for (let attempt = 0; ; attempt += 1) {
    const { document } = context.document.getState();
    const layout = await layoutWorkflow(document, context.registry, only);
    const now = context.document.getState().document;
    if ((now.nodes === document.nodes && now.edges === document.edges) || attempt === 3) return layout;
  }
}

/** Lays the selected nodes out, or the whole workflow: the main flow from left to right, services around their agent. */
export async function autoLayout(context: CommandContext): Promise<void> {
  const { nodes } = context.document.getState().document;
  const selected = Object.keys(context.canvas.getState().selection.nodes).filter((id) => !isGroup(nodes[id]));
  const only = selected.length > 1 ? selected : undefined;
  const count = (only ?? Object.keys(nodes)).length;
  const timer = setTimeout(() => {
    context.notify({ tone: "info", message: `Tidying up ${count} nodes`, hint: "You can keep working." });
  }, patience);
  const { positions, sizes } = await currentLayout(context, only).finally(() => clearTimeout(timer));
  context.document.getState().edit("Tidy up", (draft) => {
    for (const [id, position] of Object.entries(positions)) {
      const node = draft.nodes[id];
      if (node !== undefined && (node.position.x !== position.x || node.position.y !== position.y)) {
        node.position = position;
      }
    }
    for (const [id, size] of Object.entries(sizes)) Object.assign(draft.nodes[id]?.config ?? {}, size);
  });
  context.canvas.getState().controls?.fit(only);
}
