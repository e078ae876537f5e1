import { Canvas } from "../../features/canvas/canvas.tsx";
import { CanvasTools } from "../../features/canvas/canvas-tools.tsx";
import { EmptyCanvas } from "../../features/editor/empty-canvas.tsx";

/** The graph with what floats over it. */
export function CanvasArea() {
  return (
    <div className="relative min-h-0 min-w-0 flex-1">
      <Canvas>
        <CanvasTools />
        <EmptyCanvas />
      </Canvas>
    </div>
  );
}
