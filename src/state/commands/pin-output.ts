import type { Json } from "../../engine/json.ts";
import type { CommandContext } from "./command.ts";

/** A pin is a part of the stored workflow, which may have 5 MB in all; characters of JSON. */
const largestPin = 1_000_000;

/**
 * Pins a node's output as one undo step: runs take it instead of running the node. `untrusted`: strangers may have written in it.
 * A very large output is refused.
 */
export function pinOutput(
  { document, notify }: Pick<CommandContext, "document" | "notify">,
  nodeId: string,
  output: Json,
  untrusted: boolean,
): void {
  if (JSON.stringify(output).length > largestPin) {
    const hint = "Pin a shorter version: edit it first and leave out what is not needed.";
    return notify({ tone: "error", message: "This output is too large to pin (over 1 MB).", hint });
  }
  document.getState().edit("Pin output", (draft) => {
    const node = draft.nodes[nodeId];
    if (node !== undefined) node.pin = { output, ...(untrusted ? { untrusted } : {}) };
  });
}

/** Lets the node run again. */
export function unpinOutput({ document }: Pick<CommandContext, "document">, nodeId: string): void {
  document.getState().edit("Unpin output", (draft) => {
    const node = draft.nodes[nodeId];
    if (node !== undefined) delete node.pin;
  });
}
