import type { Connection, FinalConnectionState, IsValidConnection } from "@xyflow/react";
import { useMemo, useState } from "react";
import { canConnect } from "../../engine/document/can-connect.ts";
import type { PortKind } from "../../engine/document/ports.ts";
import type { Endpoint } from "../../engine/document/workflow-document.ts";
import type { Point } from "../../state/editor/canvas-store.ts";
import { connectPorts } from "../../state/commands/connect-ports.ts";
import { canReconnect, reconnect, withoutEdge } from "../../state/commands/reconnect.ts";
import type { Connection as Join, LooseEnd } from "../../state/editing/find-connection.ts";
import { useEditor, type Editor } from "../../state/editor/editor-context.tsx";
import { dropOnNode, kindOf, refusalReason, type WireScene } from "./drop-wire.ts";
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

/** What a wire that is being drawn looks for. */
export interface Sought {
  kind: PortKind;
  direction: "input" | "output";
}

interface Report {
  setConnecting(sought: Sought | null): void;
  setRefusal(refusal: Refusal | null): void;
}

function handlersOf(editor: Editor, { setConnecting, setRefusal }: Report) {
  let pulled: string | null = null;
  const scene = (): WireScene => {
    const { document } = editor.document.getState();
    return { document: pulled === null ? document : withoutEdge(document, pulled), registry: editor.registry };
  };
  const join = ({ from, to }: Join) => {
    if (pulled === null) connectPorts(editor.context, from, to);
    else reconnect(editor.context, pulled, { from, to });
  };
  /** Released away from every port that fits. Tells whether there was something under it. */
  const dropped = (event: MouseEvent | TouchEvent, state: FinalConnectionState): boolean => {
    if (state.fromHandle === null) return false;
    const at = pointOf(event);
    const wire = looseEnd(state.fromHandle);
    const nodeId = nodeAt(at);
    const meant =
      state.toHandle !== null
        ? refusalReason(scene(), wire, looseEnd(state.toHandle))
        : nodeId === null
          ? undefined
          : dropOnNode(scene(), wire, nodeId);
    if (typeof meant === "string") {
      // Over a port the reason was there while the wire was drawn, and goes with it.
      if (state.toHandle === null) setRefusal({ at, reason: meant });
    } else if (meant !== undefined) join(meant);
    return state.toHandle !== null || nodeId !== null;
  };
  const isValidConnection: IsValidConnection<CanvasEdge> = (connection) => {
    const { from, to } = endpointsOf(connection);
    if (pulled !== null) return canReconnect(editor, pulled, { from, to }).ok;
    return canConnect(editor.document.getState().document, editor.registry, from, to).ok;
  };
  const handlers = {
    isValidConnection,
    onReconnectStart(_event: unknown, edge: CanvasEdge) {
      pulled = edge.id;
    },
    onReconnect(edge: CanvasEdge, connection: Connection) {
      reconnect(editor.context, edge.id, endpointsOf(connection));
    },
    /** Released over nothing, the wire stays where it was. */
    onReconnectEnd(event: MouseEvent | TouchEvent, _edge: unknown, _type: unknown, state: FinalConnectionState) {
      if (state.isValid !== true) dropped(event, state);
      pulled = null;
    },
    onConnectStart(
      _event: unknown,
      start: { nodeId: string | null; handleId: string | null; handleType: "source" | "target" | null },
    ) {
      setRefusal(null);
      if (start.nodeId === null || start.handleType === null) return;
      const end = looseEnd({ nodeId: start.nodeId, id: start.handleId, type: start.handleType });
      const kind = kindOf(scene(), end);
      setConnecting(kind === undefined ? null : { kind, direction: end.direction === "from" ? "input" : "output" });
    },
    onConnect(connection: Connection) {
      const { from, to } = endpointsOf(connection);
      connectPorts(editor.context, from, to);
    },
    onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState) {
      setConnecting(null);
      if (state.fromHandle === null || state.isValid === true || pulled !== null) return;
      if (dropped(event, state)) return;
      const at = pointOf(event);
      const { controls, set } = editor.canvas.getState();
      const moved =
        state.from && state.pointer && Math.hypot(state.pointer.x - state.from.x, state.pointer.y - state.from.y);
      if (controls === null || (moved !== null && moved < clickDistance)) return;
      set({ picker: { kind: "add", at, position: controls.toDocument(at), wire: looseEnd(state.fromHandle) } });
    },
  };
  return { scene, handlers };
}

/** Drawing wires: what is allowed while the pointer moves, and what a release means. */
export function useConnecting() {
  const editor = useEditor();
  const [connecting, setConnecting] = useState<Sought | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { scene, handlers } = useMemo(() => handlersOf(editor, { setConnecting, setRefusal }), [editor]);
  const dismissRefusal = useMemo(() => () => setRefusal(null), []);
  return { handlers, scene, connecting, refusal, dismissRefusal };
}
