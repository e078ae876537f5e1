import { useStore } from "@xyflow/react";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { lowCanvas } from "./low-canvas.ts";

/** The way to new nodes and to everything else; small where there is little of the canvas to cover. */
export function CanvasTools() {
  const { canvas } = useEditor();
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const outlineOpen = useCanvasStore((state) => state.outlineOpen);
  const isLow = useStore(lowCanvas);
  if (paletteOpen) return null;
  const openPalette = () => canvas.setState({ paletteOpen: true });
  return (
    <div className={classNames("absolute top-3 z-10 flex gap-1.5", outlineOpen ? "left-83" : "left-3")}>
      {isLow ? (
        <IconButton icon="plus" label="Add node" shortcut="n" variant="secondary" onClick={openPalette} />
      ) : (
        <Button icon="plus" onClick={openPalette}>
          Add node
        </Button>
      )}
      <IconButton
        icon="search"
        label="Search actions and nodes"
        shortcut="mod+k"
        variant="secondary"
        onClick={() => canvas.setState({ commandMenuOpen: true })}
      />
    </div>
  );
}
