import { Handle, useUpdateNodeInternals } from "@xyflow/react";
import { useEffect } from "react";
import { foldedPorts } from "../../state/editing/folded-ports.ts";
import { useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { positionOf } from "./project-document.ts";

/** Lets React Flow look again for the ports of a card: the frame that stood here a moment ago had none. */
function PortsMeasured({ id }: { id: string }) {
  const update = useUpdateNodeInternals();
  useEffect(() => update(id), [update, id]);
  return null;
}

/** The sockets of a folded group. They show what crosses its frame; wires are drawn at the nodes themselves. */
export function FoldedPorts({ id }: { id: string }) {
  const { registry } = useEditor();
  const document = useDocumentStore((state) => state.document);
  const ports = foldedPorts(document, registry, id);
  const names = ports.map(({ name, x, y }) => `${name} ${x} ${y}`).join();
  const sockets = ports.map(({ name, direction, port, x, y }) => (
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
  return (
    <>
      {sockets}
      <PortsMeasured key={names} id={id} />
    </>
  );
}
