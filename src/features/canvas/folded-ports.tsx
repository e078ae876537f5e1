import { Handle } from "@xyflow/react";
import { foldedPorts } from "../../stores/editing/folded-ports.ts";
import { useDocumentStore, useEditor } from "../../stores/editor-context.tsx";
import { positionOf } from "./project-document.ts";

/** The sockets of a folded group. They show what crosses its frame; wires are drawn at the nodes themselves. */
export function FoldedPorts({ id }: { id: string }) {
  const { registry } = useEditor();
  const document = useDocumentStore((state) => state.document);
  return foldedPorts(document, registry, id).map(({ name, direction, port, x, y }) => (
    <Handle
      key={name}
      id={name}
      type={direction === "input" ? "target" : "source"}
      position={positionOf[port.side]}
      isConnectable={false}
      className="port"
      style={{ left: x, top: y }}
      title={`${port.kind} ${direction} of what is inside`}
      data-kind={port.kind}
      data-direction={direction}
    />
  ));
}
