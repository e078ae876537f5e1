import { useEffect } from "react";
import { ClosedDrawer } from "../../features/results/closed-drawer.tsx";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { dockAtRight, roomBesideAssistant, roomForBoth } from "../../state/editor/dock.ts";
import { panelStore, usePanelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { useMedia } from "../use-media.ts";
import { assistantStore, isShown, useAssistant } from "../../state/assistant/assistant-store.ts";
import { CanvasArea } from "./canvas-area.tsx";
import { EditorMenu } from "../../features/palette/editor-menu.tsx";
import { Splitter } from "../../ui/layout/splitter.tsx";
import { PanelOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { Inspector, NodeRuns, OutlinePanel, Palette, RunDrawer } from "./workbench-parts.ts";
import { PhoneLayout } from "./phone-layout.tsx";

const AssistantArea = lazyPart(async () => (await import("./assistant-area.tsx")).AssistantArea, PanelOnItsWay);

const phone = "(max-width: 639px)";
const settingsWidths = { min: 300, max: 640 };
const settingsHeights = { min: 160, max: 640 };

/** What opens over everything else. */
function Overlays({ control }: { control: RunControl }) {
  const { canvas } = useEditor();
  const menuOpen = useCanvasStore((state) => state.commandMenuOpen);
  return (
    <>
      {menuOpen && <EditorMenu onClose={() => canvas.setState({ commandMenuOpen: false })} />}
      <NodeRuns control={control} />
    </>
  );
}

type Dock = "bottom" | "right";

/** The settings of the selected node with a place of their own: as wide as the person wants them, or below like the run panel. */
function InspectorArea({ dock }: { dock: Dock }) {
  const { settingsWidth, height, resize } = usePanelStore((state) => state);
  const bottom = dock === "bottom";
  const limits = bottom ? settingsHeights : settingsWidths;
  return (
    <>
      <Splitter
        label={`${bottom ? "Height" : "Width"} of the settings`}
        orientation={bottom ? "horizontal" : "vertical"}
        value={bottom ? height : settingsWidth}
        {...limits}
        onChange={(value) => resize(bottom ? { height: value } : { settingsWidth: value })}
      />
      <div className="min-h-0 min-w-0 bg-surface" style={bottom ? { height } : { width: settingsWidth }}>
        <Inspector />
      </div>
    </>
  );
}

/** Brings the settings of a node to the front when it is chosen, and the run panel when none is. */
function useSettingsFollowSelection(): void {
  const { canvas } = useEditor();
  useEffect(() => {
    const { showSettings } = panelStore.getState();
    const leave = canvas.subscribe((state, before) => {
      const nodeId = singleSelectedNode(state);
      const isAsked = state.focusField !== null && state.focusField !== before.focusField;
      if (nodeId !== singleSelectedNode(before) || isAsked) showSettings(nodeId !== null);
    });
    return () => {
      leave();
      showSettings(false);
    };
  }, [canvas]);
}

/**
 * Where the canvas would keep less than half of the window, the assistant and what else stands at the right take turns: what was asked
 * for last is there, and what gave way comes back when it goes. Returns whether the assistant has the place.
 */
function useTurns(dock: Dock): boolean {
  const { canvas } = useEditor();
  const takesTurns = !useMedia(roomBesideAssistant) && dock === "right";
  const shown = useAssistant(isShown);
  useEffect(() => {
    if (!takesTurns) return undefined;
    const { stepBehind } = assistantStore.getState();
    let gaveWay = false;
    const makeRoom = () => {
      gaveWay ||= panelStore.getState().open;
      panelStore.getState().close();
    };
    if (isShown(assistantStore.getState())) makeRoom();
    const stops = [
      assistantStore.subscribe((state, before) => {
        if (isShown(state) && !isShown(before)) makeRoom();
        if (before.open && !state.open && gaveWay) {
          gaveWay = false;
          panelStore.getState().show(panelStore.getState().tab);
        }
      }),
      panelStore.subscribe((state, before) => {
        if (state.open === before.open || !assistantStore.getState().open) return;
        gaveWay &&= !state.open;
        if (state.open) stepBehind(true);
        else if (singleSelectedNode(canvas.getState()) === null) stepBehind(false);
      }),
      canvas.subscribe((state, before) => {
        const nodeId = singleSelectedNode(state);
        const isAsked = state.focusField !== null && state.focusField !== before.focusField;
        if (nodeId === singleSelectedNode(before) && !isAsked) return;
        if (nodeId !== null) stepBehind(true);
        else if (!panelStore.getState().open) stepBehind(false);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      stepBehind(false);
    };
  }, [takesTurns, canvas]);
  return takesTurns && shown;
}

/** What stands beside the canvas, or below it: the settings of a node and the run panel, in one place where there is no room for both. */
function Side({ dock, control }: { dock: Dock; control: RunControl }) {
  const selected = useCanvasStore((state) => singleSelectedNode(state) !== null);
  const open = usePanelStore((state) => state.open);
  const both = useMedia(roomForBoth(useAssistant(isShown)));
  useSettingsFollowSelection();
  const inspecting = !useTurns(dock) && selected;
  return (
    <div className={classNames("flex min-h-0 min-w-0", dock === "bottom" && "flex-col")}>
      {inspecting && (both || !open) && <InspectorArea dock={dock} />}
      {open ? (
        <RunDrawer dock={dock} control={control} settings={inspecting && !both ? <Inspector /> : undefined} />
      ) : (
        <ClosedDrawer dock={dock} />
      )}
    </div>
  );
}

/** The canvas, which keeps at least half of the window, and what stands beside it. */
function DeskLayout({ control }: { control: RunControl }) {
  const { canvas } = useEditor();
  const dock = useMedia(dockAtRight) ? "right" : "bottom";
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const outlineOpen = useCanvasStore((state) => state.outlineOpen);
  return (
    <div className={classNames("flex min-h-0 flex-1", dock === "bottom" && "flex-col")}>
      <div
        className={classNames(
          "relative flex flex-1 flex-col",
          dock === "bottom" ? "min-h-[50vh]" : "min-h-0 min-w-[min(50vw,calc(100%-17rem))]",
        )}
      >
        {/* Over the canvas, so that opening it moves nothing under the pointer. */}
        {(paletteOpen || outlineOpen) && (
          <div className="absolute inset-y-0 left-0 z-10">
            {paletteOpen ? (
              <Palette onClose={() => canvas.setState({ paletteOpen: false })} />
            ) : (
              <OutlinePanel onClose={() => canvas.setState({ outlineOpen: false })} />
            )}
          </div>
        )}
        <CanvasArea />
      </div>
      <Side dock={dock} control={control} />
    </div>
  );
}

/** The assistant beside everything else; over it where there is no room. */
function AssistantSlot() {
  const { workflowId } = useEditor();
  const shown = useAssistant(isShown);
  const begun = useAssistant((state) => state.begun);
  useEffect(() => assistantStore.getState().resume(workflowId), [workflowId]);
  if (!begun) return null;
  return (
    <div
      hidden={!shown}
      className="w-[384px] max-w-full shrink-0 max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-30 max-lg:w-[min(384px,calc(50vw-3rem))] max-lg:shadow-float max-sm:w-full"
    >
      <AssistantArea />
    </div>
  );
}

/** Canvas, palette, inspector and run panel, side by side on a desk and one at a time on a phone. */
export function EditorLayout({ control }: { control: RunControl }) {
  const onPhone = useMedia(phone);
  return (
    <>
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          {onPhone ? <PhoneLayout control={control} /> : <DeskLayout control={control} />}
        </div>
        <AssistantSlot />
      </div>
      <Overlays control={control} />
    </>
  );
}
