import type { Connection, FinalConnectionState, IsValidConnection } from "@xyflow/react";
import { useMemo, useState } from "react";
import { canConnect, definitionOf, portOf } from "../../engine/document/can-connect.ts";
import type { PortKind } from "../../engine/document/ports.ts";
import type { Endpoint } from "../../engine/document/workflow-document.ts";
import type { Point } from "../../stores/canvas-store.ts";
import { connectPorts } from "../../stores/commands/connect-ports.ts";
import { canReconnect, reconnect } from "../../stores/commands/reconnect.ts";
import { fitLooseEnd, type LooseEnd } from "../../stores/editing/find-connection.ts";
import { useEditor, type Editor } from "../../stores/editor-context.tsx";
import type { CanvasEdge } from "./project-document.ts";

/** Why a connection was refused, at a point of the browser window. */
export interface Refusal {
  at: Point;
  reason: string;
}

/** A wire released this near to where it began was a click. */
const clickDistance = 24;

function endpointsOf(connection: Connection | CanvasEdge): { from: Endpoint; to: Endpoint } {
  return {
    from: { node: connection.source, port: connection.sourceHandle ?? "" },
    to: { node: connection.target, port: connection.targetHandle ?? "" },
  };
}

/** Where a pointer or finger was when it was lifted. */
function pointOf(event: MouseEvent | TouchEvent): Point {
  const at = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 };
}

function nodeAt(point: Point): string | null {
  const element = document.elementFromPoint(point.x, point.y);
  return element?.closest(".react-flow__node")?.getAttribute("data-id") ?? null;
}

function looseEnd(handle: { nodeId: string; id?: string | null; type: "source" | "target" }): LooseEnd {
  return {
    endpoint: { node: handle.nodeId, port: handle.id ?? "" },
    direction: handle.type === "source" ? "from" : "to",
  };
}

/** Why the ends of an unfinished connection do not go together, or undefined when they do. */
export function refusalReason(editor: Editor, start: LooseEnd, end: LooseEnd): string | undefined {
  if (start.direction === end.direction) {
    return start.direction === "from" ? "Two outputs cannot be joined." : "Two inputs cannot be joined.";
  }
  const [from, to] = start.direction === "from" ? [start, end] : [end, start];
  const verdict = canConnect(editor.document.getState().document, editor.registry, from.endpoint, to.endpoint);
  return verdict.ok ? undefined : verdict.reason;
}

/** Released on a card instead of a port: the first port that fits is meant. */
function dropOnNode(editor: Editor, wire: LooseEnd, nodeId: string, at: Point): Refusal | null {
  const { document } = editor.document.getState();
  const node = document.nodes[nodeId];
  if (node === undefined || nodeId === wire.endpoint.node) return null;
  const connection = fitLooseEnd(document, editor.registry, wire, node);
  if (connection !== undefined) {
    connectPorts(editor.context, connection.from, connection.to);
    return null;
  }
  const definition = definitionOf(editor.registry, node.type);
  const ports = Object.keys((wire.direction === "from" ? definition?.inputs : definition?.outputs) ?? {});
  const kind = kindOf(editor, wire);
  const direction = wire.direction === "from" ? ("to" as const) : ("from" as const);
  const reasons = ports.map((port) => ({
    port,
    reason: refusalReason(editor, wire, { endpoint: { node: nodeId, port }, direction }),
  }));
  const sameKind = reasons.find(({ port }) => kind === kindOf(editor, { endpoint: { node: nodeId, port }, direction }));
  const noun = wire.direction === "from" ? "input" : "output";
  return { at, reason: sameKind?.reason ?? `"${node.title}" has no ${kind ?? "fitting"} ${noun}.` };
}

function kindOf(editor: Editor, { endpoint, direction }: LooseEnd): PortKind | undefined {
  const node = editor.document.getState().document.nodes[endpoint.node];
  const definition = node && definitionOf(editor.registry, node.type);
  const ports = direction === "from" ? definition?.outputs : definition?.inputs;
  return ports && portOf(ports, endpoint.port)?.kind;
}

interface Report {
  setConnecting(kind: PortKind | null): void;
  setRefusal(refusal: Refusal | null): void;
}

function handlersOf(editor: Editor, { setConnecting, setRefusal }: Report) {
  let pulled: string | null = null;
  const isValidConnection: IsValidConnection<CanvasEdge> = (connection) => {
    const { from, to } = endpointsOf(connection);
    if (pulled !== null) return canReconnect(editor, pulled, { from, to }).ok;
    return canConnect(editor.document.getState().document, editor.registry, from, to).ok;
  };
  return {
    isValidConnection,
    onReconnectStart(_event: unknown, edge: CanvasEdge) {
      pulled = edge.id;
    },
    onReconnect(edge: CanvasEdge, connection: Connection) {
      reconnect(editor.context, edge.id, endpointsOf(connection));
    },
    onReconnectEnd() {
      pulled = null;
    },
    onConnectStart(
      _event: unknown,
      start: { nodeId: string | null; handleId: string | null; handleType: "source" | "target" | null },
    ) {
      setRefusal(null);
      if (start.nodeId === null || start.handleType === null) return;
      setConnecting(
        kindOf(editor, looseEnd({ nodeId: start.nodeId, id: start.handleId, type: start.handleType })) ?? null,
      );
    },
    onConnect(connection: Connection) {
      const { from, to } = endpointsOf(connection);
      connectPorts(editor.context, from, to);
    },
    onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
      setConnecting(null);
      if (state.fromHandle === null || state.isValid === true || pulled !== null) return;
      const at = pointOf(event);
      const wire = looseEnd(state.fromHandle);
      if (state.toHandle !== null) {
        const reason = refusalReason(editor, wire, looseEnd(state.toHandle));
        if (reason !== undefined) setRefusal({ at, reason });
        return;
      }
      const nodeId = nodeAt(at);
      if (nodeId !== null) return setRefusal(dropOnNode(editor, wire, nodeId, at));
      const { controls, set } = editor.canvas.getState();
      const moved =
        state.from && state.pointer && Math.hypot(state.pointer.x - state.from.x, state.pointer.y - state.from.y);
      if (controls === null || (moved !== null && moved < clickDistance)) return;
      set({ picker: { kind: "add", at, position: controls.toDocument(at), wire } });
    },
  };
}

/** Drawing wires: what is allowed while the pointer moves, and what a release means. */
export function useConnecting() {
  const editor = useEditor();
  const [connecting, setConnecting] = useState<PortKind | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const handlers = useMemo(() => handlersOf(editor, { setConnecting, setRefusal }), [editor]);
  const dismissRefusal = useMemo(() => () => setRefusal(null), []);
  return { handlers, connecting, refusal, dismissRefusal };
}
