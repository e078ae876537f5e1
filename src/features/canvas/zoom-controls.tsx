import { Panel, useStore } from "@xyflow/react";
import { commandById } from "../../state/commands/editor-commands.ts";
import { useCanvasStore, useDocumentStore, useEditor } from "../../state/editor/editor-context.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import type { IconName } from "../../ui/icons/icon.tsx";
import { lowCanvas } from "./low-canvas.ts";

function CommandButton({ id, icon }: { id: string; icon: IconName }) {
  const { commands, context } = useEditor();
  useDocumentStore((state) => state.document.nodes);
  const command = commandById(commands, id);
  if (command === undefined) return null;
  return (
    <IconButton
      size="sm"
      icon={icon}
      label={command.label}
      shortcut={command.keys?.[0]}
      tooltipSide="top"
      disabled={!command.when(context)}
      onClick={() => void command.run(context)}
    />
  );
}

/** Whether the view goes along with a run. */
function FollowButton() {
  const { canvas } = useEditor();
  const following = useCanvasStore((state) => state.following);
  return (
    <IconButton
      size="sm"
      icon="locate"
      label="Follow runs"
      tooltipSide="top"
      pressed={following}
      onClick={() => canvas.setState({ following: !following })}
    />
  );
}

/** Zoom, fit, tidy and the map, in one quiet bar. */
export function ZoomControls({ mapOpen, onToggleMap }: { mapOpen: boolean; onToggleMap: () => void }) {
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  const isLow = useStore(lowCanvas);
  // Beside the palette or the outline, which lie over the canvas.
  const beside = useCanvasStore((state) =>
    state.paletteOpen ? "sm:left-70!" : state.outlineOpen ? "sm:left-80!" : "",
  );
  if (isLow) return null;
  return (
    <Panel
      position="bottom-left"
      className={classNames("m-3! flex items-center gap-0.5 rounded-lg border bg-surface p-0.5", beside)}
    >
      <CommandButton id="zoom-out" icon="minus" />
      <span className="numeric w-10 text-center text-xs text-muted">{percent}%</span>
      <CommandButton id="zoom-in" icon="plus" />
      <CommandButton id="zoom-fit" icon="maximize" />
      <CommandButton id="auto-layout" icon="layout-grid" />
      <FollowButton />
      <IconButton
        size="sm"
        icon="map"
        label={mapOpen ? "Hide the map" : "Show the map"}
        tooltipSide="top"
        pressed={mapOpen}
        onClick={onToggleMap}
        className="max-sm:hidden"
      />
    </Panel>
  );
}
