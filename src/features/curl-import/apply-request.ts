import type { CurlRequest } from "../../nodes/http/parse-curl.ts";
import type { CommandContext } from "../../state/commands/command.ts";

/** Puts a request into a node's settings, as one undo step. */
export function applyRequest(
  { document }: Pick<CommandContext, "document">,
  nodeId: string,
  request: CurlRequest,
): void {
  document.getState().edit("Import from cURL", (draft) => {
    const node = draft.nodes[nodeId];
    if (node !== undefined) Object.assign(node.config, request);
  });
}
