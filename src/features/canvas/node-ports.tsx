import { memo } from "react";
import type { AnyNodeDefinition } from "../../engine/document/define-node.ts";
import { edgesOf } from "../../state/editing/edge-index.ts";
import { placedPorts } from "../../state/editing/placed-ports.ts";
import { isLeftOut } from "../../state/editing/shown-ports.ts";
import { useDocumentStore, useEditor, useProblemStore } from "../../state/editor/editor-context.tsx";
import { nodeGeometry, type PlacedPort } from "../../state/editing/node-geometry.ts";
import { problemsOf } from "../../state/document/problems-of.ts";
import { PortHandle } from "./port-handle.tsx";

/**
 * Whether a port's label stands in the card all the time: everywhere but at a plain way in or out, and at the one output
 * of a service, which the card itself names.
 */
function isTelling(placed: PlacedPort, all: readonly PlacedPort[]): boolean {
  const alike = all.filter(({ direction }) => direction === placed.direction);
  if (placed.port.kind === "main") return alike.filter(({ port }) => port.kind === "main").length > 1;
  return placed.direction === "input" || alike.length > 1;
}

/** All sockets of a node. */
export const NodePorts = memo(function NodePorts({
  id,
  definition,
}: {
  id: string;
  definition: AnyNodeDefinition | undefined;
}) {
  const connected = useDocumentStore((state) => {
    const { incoming, outgoing } = edgesOf(state.document.edges, id);
    return [...incoming.map(({ to }) => `input:${to.port}`), ...outgoing.map(({ from }) => `output:${from.port}`)]
      .toSorted()
      .join(" ");
  });
  const needed = useDocumentStore((state) => {
    const node = state.document.nodes[id];
    return (node && definition?.needs?.(node.config).join(" ")) ?? "";
  }).split(" ");
  const problems = useProblemStore((state) => problemsOf(state, id));
  const used = new Set(connected.split(" "));
  const { registry } = useEditor();
  const ports = useDocumentStore(({ document }) => {
    const node = document.nodes[id];
    return node === undefined ? nodeGeometry(definition).ports : placedPorts(document, registry, node);
  });
  const leftOut = useDocumentStore((state) => {
    const node = state.document.nodes[id];
    const names = ports.flatMap((placed) => (node && isLeftOut(registry, node, placed) ? [placed.name] : []));
    return names.join(" ");
  }).split(" ");
  const missing = problems.find(({ code, severity }) => code === "missing_connection" && severity === "error");
  return ports.map((placed) => {
    const isConnected = used.has(`${placed.direction}:${placed.name}`);
    if (!isConnected && placed.direction === "output" && leftOut.includes(placed.name)) return null;
    const isRequired = placed.port.min > 0 || needed.includes(placed.name);
    const lacks = placed.direction === "input" && isRequired && !isConnected;
    return (
      <PortHandle
        key={`${placed.direction}:${placed.name}`}
        nodeId={id}
        placed={placed}
        connected={isConnected}
        lacks={lacks}
        telling={isTelling(placed, ports)}
        problem={lacks ? missing?.message : undefined}
      />
    );
  });
});
