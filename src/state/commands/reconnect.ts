import { canConnect, type ConnectResult } from "../../engine/document/can-connect.ts";
import type { Endpoint, WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Connection } from "../editing/find-connection.ts";
import type { CommandContext } from "./command.ts";

/** The document as if an edge were not there. */
export function withoutEdge(document: WorkflowDocument, edgeId: string): WorkflowDocument {
  const { [edgeId]: _edge, ...edges } = document.edges;
  return { ...document, edges };
}

/** Whether an edge may lead from and to other ports: judged as if it were not there. */
export function canReconnect(
  { document, registry }: Pick<CommandContext, "document" | "registry">,
  edgeId: string,
  { from, to }: Connection,
): ConnectResult {
  return canConnect(withoutEdge(document.getState().document, edgeId), registry, from, to);
}

const sameEnd = (a: Endpoint, b: Endpoint) => a.node === b.node && a.port === b.port;

/** Lets an edge lead from and to other ports where the rule allows it; a refusal is told in words. */
export function reconnect(context: CommandContext, edgeId: string, connection: Connection): void {
  const edge = context.document.getState().document.edges[edgeId];
  if (edge === undefined || (sameEnd(edge.from, connection.from) && sameEnd(edge.to, connection.to))) return;
  const verdict = canReconnect(context, edgeId, connection);
  if (!verdict.ok) {
    context.notify({ tone: "error", message: "These two cannot be connected.", hint: verdict.reason });
    return;
  }
  context.document.getState().edit("Reconnect", (document) => {
    if (document.edges[edgeId]) document.edges[edgeId] = { id: edgeId, ...connection };
  });
}
