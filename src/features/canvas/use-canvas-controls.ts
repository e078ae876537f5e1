import { useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import type { ZoomLevel } from "../../stores/canvas-store.ts";
import { useEditor } from "../../stores/editor-context.tsx";

/** Milliseconds of a zoom or pan that a command asked for. */
const glide = 180;

export const fitOptions = { padding: 0.18, maxZoom: 1.1 };

function levelOf(zoom: number): ZoomLevel {
  if (zoom < 0.5) return "far";
  return zoom < 0.95 ? "normal" : "close";
}

/** Gives commands a hold of the mounted canvas, and tells the store how much detail the zoom allows. */
export function useCanvasControls(): void {
  const { canvas } = useEditor();
  const flow = useReactFlow();
  const internals = useStoreApi();
  const zoomLevel = useStore((state) => levelOf(state.transform[2]));

  useEffect(() => {
    canvas.setState({ zoomLevel });
  }, [canvas, zoomLevel]);

  useEffect(() => {
    canvas.setState({
      controls: {
        fit: () => void flow.fitView({ ...fitOptions, duration: glide }),
        zoomIn: () => void flow.zoomIn({ duration: glide }),
        zoomOut: () => void flow.zoomOut({ duration: glide }),
        reveal: (nodeId) => {
          const zoom = Math.max(0.6, flow.getZoom());
          void flow.fitView({ nodes: [{ id: nodeId }], minZoom: zoom, maxZoom: zoom, duration: glide });
        },
        center: () => {
          const box = internals.getState().domNode?.getBoundingClientRect();
          if (box === undefined) return { x: 0, y: 0 };
          return flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
        },
        toDocument: (point) => flow.screenToFlowPosition(point),
      },
    });
    return () => canvas.setState({ controls: null });
  }, [canvas, flow, internals]);
}
