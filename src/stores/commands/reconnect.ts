import { canConnect, type ConnectResult } from "../../engine/document/can-connect.ts";
import type { Connection } from "../editing/find-connection.ts";
import type { CommandContext } from "./command.ts";

/** Whether an edge may lead from and to other ports: judged as if it were not there. */
export function canReconnect(
  { document, registry }: Pick<CommandContext, "document" | "registry">,
  edgeId: string,
  { from, to }: Connection,
): ConnectResult {
  const workflow = document.getState().document;
  const { [edgeId]: _pulled, ...edges } = workflow.edges;
  return canConnect({ ...workflow, edges }, registry, from, to);
}

/** Lets an edge lead from and to other ports where the rule allows it; a refusal is told in words. */
export function reconnect(context: CommandContext, edgeId: string, connection: Connection): void {
  const verdict = canReconnect(context, edgeId, connection);
  if (!verdict.ok) {
    context.notify({ tone: "error", message: "These two cannot be connected.", hint: verdict.reason });
    return;
  }
  const store = context.document.getState();
  store.mark();
  store.commit("Reconnect", (document) => {
    if (document.edges[edgeId]) document.edges[edgeId] = { id: edgeId, ...connection };
  });
  store.mark();
}
