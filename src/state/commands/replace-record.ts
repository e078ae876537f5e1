import { setReference } from "../../engine/document/slug.ts";
import type { NodeRecord } from "../../engine/document/workflow-document.ts";
import { renameReferences } from "../editing/rename-references.ts";
import type { CommandContext } from "./command.ts";

/** Takes over a node that was edited as a whole, as one undo step. Templates that name it follow a new title. */
export function replaceNodeRecord(context: CommandContext, node: NodeRecord): void {
  const store = context.document.getState();
  if (store.document.nodes[node.id] === undefined) return;
  store.edit("Edit as JSON", (document) => {
    const title = node.title.trim();
    if (title !== "" && document.nodes[node.id]?.title !== title) renameReferences(document, node.id, title);
    const named = document.nodes[node.id];
    document.nodes[node.id] = { ...node, title: title === "" ? (named?.title ?? "") : title };
    // What expressions call it follows from its title, or was kept before.
    setReference(document.nodes[node.id], named?.reference);
  });
}
