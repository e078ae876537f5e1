import { canConnect } from "../../engine/document/can-connect.ts";
import type { Endpoint } from "../../engine/document/workflow-document.ts";
import type { CommandContext } from "./command.ts";

/** Joins an output to an input where the rule allows it; a refusal is told in words. Returns the new edge's id. */
export function connectPorts(context: CommandContext, from: Endpoint, to: Endpoint): string | undefined {
  const store = context.document.getState();
  const verdict = canConnect(store.document, context.registry, from, to);
  if (!verdict.ok) {
    context.notify({ tone: "error", message: "These two cannot be connected.", hint: verdict.reason });
    return undefined;
  }
  const id = context.newId();
  store.edit("Connect", (document) => {
    document.edges[id] = { id, from, to };
  });
  return id;
}
