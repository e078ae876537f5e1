import { definitionOf } from "../../engine/document/can-connect.ts";
import type { NodeRegistry } from "../../engine/document/define-node.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import { edgesOf } from "../../stores/editing/edge-index.ts";

/** The session that a config names outright; a template has no value before a run. */
function literalSession(config: unknown): string | undefined {
  return typeof config === "string" && config.trim() !== "" && !config.includes("{{") ? config.trim() : undefined;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * What an agent has: "3 tools · window", and in a line of its own "session abc", for which there is no room beside it.
 * `session` is the one of the run on show, which wins over what the configs say.
 */
export function agentBadges(
  document: WorkflowDocument,
  registry: NodeRegistry,
  agentId: string,
  session: string | undefined,
  titleOf: (sessionId: string) => string | undefined = () => undefined,
): string {
  const { incoming } = edgesOf(document.edges, agentId);
  const wired = (kind: string) =>
    incoming.flatMap((edge) => {
      const node = document.nodes[edge.from.node];
      const definition = node && definitionOf(registry, node.type);
      return node && !node.disabled && definition?.outputs[edge.from.port]?.kind === kind ? [{ node, definition }] : [];
    });
  const tools = wired("tool").length;
  const memory = wired("memory")[0];
  const counted = tools === 0 ? "no tools" : tools === 1 ? "1 tool" : `${tools} tools`;
  const has = `${counted} · ${memory ? memory.node.type.replace(/-memory$/, "") : "no memory"}`;
  const own = literalSession(document.nodes[agentId]?.config["sessionId"]);
  const name = session ?? own ?? literalSession(memory?.node.config["sessionId"]);
  if (memory === undefined || name === undefined) return has;
  const title = titleOf(name);
  return `${has}\n${title === undefined ? `session ${cut(name, 11)}` : `“${cut(title, 17)}”`}`;
}
