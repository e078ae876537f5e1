import type { Json } from "../../engine/json.ts";
import type { CommandContext } from "./command.ts";

/** Pins a node's output as one undo step: runs take it instead of running the node. */
export function pinOutput({ document }: Pick<CommandContext, "document">, nodeId: string, output: Json): void {
  const store = document.getState();
  store.mark();
  store.commit("Pin output", (draft) => {
    const node = draft.nodes[nodeId];
    if (node !== undefined) node.pin = { output };
  });
  store.mark();
}

/** Lets the node run again. */
export function unpinOutput({ document }: Pick<CommandContext, "document">, nodeId: string): void {
  const store = document.getState();
  store.mark();
  store.commit("Unpin output", (draft) => {
    const node = draft.nodes[nodeId];
    if (node !== undefined) delete node.pin;
  });
  store.mark();
}
