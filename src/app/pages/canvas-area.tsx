import { Canvas } from "../../features/canvas/canvas.tsx";
import { EmptyCanvas } from "../../features/editor/empty-canvas.tsx";
import { useCanvasStore, useEditor } from "../../stores/editor-context.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";

/** The graph with what floats over it. */
export function CanvasArea() {
  const { canvas } = useEditor();
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  return (
    <div className="relative min-h-0 min-w-0 flex-1">
      <Canvas>
        <EmptyCanvas />
      </Canvas>
      {!paletteOpen && (
        <div className="absolute top-3 left-3 z-10 flex gap-1.5">
          <Button icon="plus" onClick={() => canvas.setState({ paletteOpen: true })}>
            Add node
          </Button>
          <IconButton
            icon="search"
            label="Search actions and nodes"
            shortcut="mod+k"
            variant="secondary"
            onClick={() => canvas.setState({ commandMenuOpen: true })}
          />
        </div>
      )}
    </div>
  );
}
