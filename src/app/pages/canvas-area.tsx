import { Canvas } from "../../features/canvas/canvas.tsx";
import { CanvasTools } from "../../features/canvas/canvas-tools.tsx";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { EmptyCanvas } from "../../features/editor/empty-canvas.tsx";

const ProposalBar = lazyPart(async () => (await import("../../features/assistant/proposal-bar.tsx")).ProposalBar);

/** The graph with what floats over it, and above it what the assistant proposes where that is not shown elsewhere. */
export function CanvasArea() {
  const begun = useAssistant((state) => state.begun);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      {begun && <ProposalBar />}
      <div className="relative min-h-0 flex-1">
        <Canvas>
          <CanvasTools />
          <EmptyCanvas />
        </Canvas>
      </div>
    </div>
  );
}
