import { useConnection, useReactFlow } from "@xyflow/react";
import { useEffect } from "react";
import type { Point } from "../../state/editor/canvas-store.ts";
import { Icon } from "../../ui/icons/icon.tsx";
import { refusalReason, type WireScene } from "./drop-wire.ts";
import type { Refusal } from "./use-connecting.ts";

/** Milliseconds that the reason stays for which a card took no wire that was let go over it. */
const shownFor = 1_600;

function Hint({ at, reason }: Refusal) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed z-50 flex max-w-72 animate-fade gap-2 rounded-md border border-danger bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float"
      style={{ left: Math.min(at.x + 14, window.innerWidth - 300), top: at.y + 14 }}
    >
      <span className="text-danger">
        <Icon name="unplug" size={14} />
      </span>
      {reason}
    </div>
  );
}

/** Says beside the pointer why the port under it may not be joined. */
function LiveRefusal({ scene }: { scene: () => WireScene }) {
  const flow = useReactFlow();
  const connection = useConnection();
  if (!connection.inProgress || connection.isValid !== false || connection.toHandle === null) return null;
  const end = (handle: typeof connection.fromHandle) => ({
    endpoint: { node: handle.nodeId, port: handle.id ?? "" },
    direction: handle.type === "source" ? ("from" as const) : ("to" as const),
  });
  const reason = refusalReason(scene(), end(connection.fromHandle), end(connection.toHandle));
  const at: Point = flow.flowToScreenPosition(connection.to);
  return reason === undefined ? null : <Hint at={at} reason={reason} />;
}

interface RefusalHintProps {
  refusal: Refusal | null;
  /** What the wire is drawn in right now. */
  scene: () => WireScene;
  onDismiss: () => void;
}

/** The reason for a refused connection: while the wire is over a port, and for a moment after it was let go over a card. */
export function RefusalHint({ refusal, scene, onDismiss }: RefusalHintProps) {
  useEffect(() => {
    if (refusal === null) return;
    const timer = setTimeout(onDismiss, shownFor);
    window.addEventListener("pointerdown", onDismiss, { capture: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pointerdown", onDismiss, { capture: true });
    };
  }, [refusal, onDismiss]);
  return refusal === null ? <LiveRefusal scene={scene} /> : <Hint {...refusal} />;
}
