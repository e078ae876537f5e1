import { Handle } from "@xyflow/react";
import { memo } from "react";
import type { PlacedPort } from "../../state/editing/node-geometry.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { handleId, positionOf } from "./project-document.ts";

interface PortHandleProps {
  nodeId: string;
  placed: PlacedPort;
  connected: boolean;
  /** A required connection is missing. */
  lacks: boolean;
  /** Its label is worth showing all the time, where there is room. */
  telling: boolean;
  /** What is wrong with it, such as a missing connection. */
  problem: string | undefined;
}

/**
 * A typed socket: one element, whose shape says the kind; hollow while a required connection is missing. A click lists
 * what fits there, a drag draws a wire.
 */
export const PortHandle = memo(function PortHandle({
  nodeId,
  placed,
  connected,
  lacks,
  telling,
  problem,
}: PortHandleProps) {
  const { canvas } = useEditor();
  const { name, direction, port, x, y } = placed;
  const input = direction === "input";
  const isFull = port.max !== null && connected && port.max === 1;
  return (
    <Handle
      id={handleId(name)}
      type={input ? "target" : "source"}
      position={positionOf[port.side]}
      className="port"
      style={{ left: x, top: y }}
      title={problem ?? `${port.label} (${port.kind} ${direction})`}
      data-kind={port.kind}
      data-direction={direction}
      data-label={port.kind === "main" && !telling ? undefined : port.label}
      data-telling={telling || undefined}
      data-quiet={(port.quiet === true && !connected && !lacks) || undefined}
      data-hollow={lacks || undefined}
      data-full={isFull || undefined}
      data-problem={problem !== undefined || undefined}
      onClick={(event) => {
        if (isFull) return;
        event.stopPropagation();
        const at = { x: event.clientX + 12, y: event.clientY - 12 };
        const wire = { endpoint: { node: nodeId, port: name }, direction: input ? ("to" as const) : ("from" as const) };
        canvas.setState({ picker: { kind: "add", at, wire } });
      }}
    />
  );
});
