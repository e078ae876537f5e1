import { type Node, Panel, useReactFlow, useStore } from "@xyflow/react";
import { memo, type PointerEvent, useEffect, useMemo, useRef } from "react";
import type { Box } from "../../state/editing/node-box.ts";
import { apple } from "../../ui/buttons/kbd.tsx";
import { type MapFrame, mapFrame, mapSize, maskPath, wheelFactor } from "./map-geometry.ts";

/** Pixels that a pointer may move in a click. */
const clickDistance = 3;

interface Shape extends Box {
  id: string;
  isFrame: boolean;
}

function shapeOf({ id, type, position, measured }: Node): Shape {
  return { id, ...position, width: measured?.width ?? 0, height: measured?.height ?? 0, isFrame: type === "frame" };
}

/** One node; on the map a frame may not cover what is in it. */
const MapNode = memo(function MapNode({ isFrame, ...box }: Omit<Shape, "id">) {
  return <rect className={`react-flow__minimap-node${isFrame ? " map-frame" : ""}`} rx={5} {...box} />;
});

/** What the canvas shows of the graph. */
function useView(): Box {
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** Moves the view by dragging, or to where it is clicked. */
function usePan({ box, scale }: MapFrame) {
  const flow = useReactFlow();
  const last = useRef<{ x: number; y: number; moved: number } | null>(null);
  return {
    onPointerDown(event: PointerEvent<SVGSVGElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY, moved: 0 };
    },
    onPointerMove({ clientX, clientY }: PointerEvent<SVGSVGElement>) {
      if (last.current === null) return;
      const { x, y, moved } = last.current;
      const [across, down] = [clientX - x, clientY - y];
      last.current = { x: clientX, y: clientY, moved: moved + Math.hypot(across, down) };
      const view = flow.getViewport();
      const pixels = scale * view.zoom;
      void flow.setViewport({ ...view, x: view.x - across * pixels, y: view.y - down * pixels });
    },
    onPointerUp({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) {
      const isClick = last.current !== null && last.current.moved <= clickDistance;
      last.current = null;
      if (!isClick) return;
      const map = currentTarget.getBoundingClientRect();
      const across = (clientX - map.left) / map.width;
      const down = (clientY - map.top) / map.height;
      void flow.setCenter(box.x + across * box.width, box.y + down * box.height, { zoom: flow.getZoom() });
    },
    onPointerCancel() {
      last.current = null;
    },
  };
}

/** Zooms the canvas by the wheel. React's own listener could not keep the page from zooming, too. */
function useWheel() {
  const flow = useReactFlow();
  const map = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const svg = map.current;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      void flow.zoomTo(flow.getZoom() * wheelFactor(event, event.ctrlKey && apple));
    };
    svg?.addEventListener("wheel", zoom, { passive: false });
    return () => svg?.removeEventListener("wheel", zoom);
  }, [flow]);
  return map;
}

/** The whole graph in small, with what is in view: dragging and clicking move the view, the wheel zooms. */
export function Minimap() {
  const nodes = useStore((state) => state.nodes);
  const shapes = useMemo(() => nodes.map(shapeOf), [nodes]);
  const view = useView();
  const frame = mapFrame(shapes, view);
  const pan = usePan(frame);
  const map = useWheel();
  const { x, y, width, height } = frame.box;
  return (
    <Panel position="bottom-right" className="react-flow__minimap overflow-hidden rounded-lg border">
      <svg
        ref={map}
        role="img"
        aria-label="Map of the workflow"
        className="react-flow__minimap-svg touch-none"
        {...mapSize}
        viewBox={`${x} ${y} ${width} ${height}`}
        {...pan}
      >
        {shapes.map(({ id, ...shape }) => (
          <MapNode key={id} {...shape} />
        ))}
        <path className="react-flow__minimap-mask" d={maskPath(frame, view)} fillRule="evenodd" pointerEvents="none" />
      </svg>
    </Panel>
  );
}
