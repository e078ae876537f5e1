import { useState } from "react";
import { ClosedDrawer } from "../../features/results/closed-drawer.tsx";
import { singleSelectedNode } from "../../stores/canvas-store.ts";
import { useCanvasStore, useEditor } from "../../stores/editor-context.tsx";
import { usePanelStore } from "../../stores/panel-store.ts";
import type { RunControl } from "../../stores/run-control.ts";
import { useMedia } from "../use-media.ts";
import { useAssistant } from "../../stores/assistant/assistant-store.ts";
import { CanvasArea } from "./canvas-area.tsx";
import { EditorMenu } from "../../features/palette/editor-menu.tsx";
import { Splitter } from "../../ui/layout/splitter.tsx";
import { PanelOnItsWay } from "../../ui/feedback/on-its-way.tsx";
import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import { Inspector, NodeRuns, OutlinePanel, Palette, RunDrawer } from "./workbench-parts.ts";
import { PhoneLayout } from "./phone-layout.tsx";

const AssistantArea = lazyPart(async () => (await import("./assistant-area.tsx")).AssistantArea, PanelOnItsWay);

const phone = "(max-width: 639px)";
const wide = "(min-width: 1760px)";
const inspectorWidths = { min: 300, max: 640, usual: 360 };

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

/** The settings of the selected node, as wide as the person wants them. */
function InspectorArea() {
  const inspecting = useCanvasStore((state) => singleSelectedNode(state) !== null);
  const [width, setWidth] = useState(inspectorWidths.usual);
  if (!inspecting) return null;
  return (
    <>
      <Splitter
        label="Width of the settings"
        orientation="vertical"
        value={width}
        min={inspectorWidths.min}
        max={inspectorWidths.max}
        onChange={setWidth}
      />
      <div className="max-w-[60%] shrink-0 bg-surface" style={{ width }}>
        <Inspector />
      </div>
    </>
  );
}

/** The run panel, open or closed. */
function RunArea({ dock, control }: { dock: "bottom" | "right"; control: RunControl }) {
  const open = usePanelStore((state) => state.open);
  return open ? <RunDrawer dock={dock} control={control} /> : <ClosedDrawer dock={dock} />;
}

function DeskLayout({ control }: { control: RunControl }) {
  const { canvas } = useEditor();
  const dock = useMedia(wide) ? "right" : "bottom";
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const outlineOpen = useCanvasStore((state) => state.outlineOpen);
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="relative flex min-h-0 flex-1 flex-col">
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
        {dock === "bottom" && <RunArea dock={dock} control={control} />}
      </div>
      <InspectorArea />
      {dock === "right" && <RunArea dock={dock} control={control} />}
    </div>
  );
}

/** The assistant beside everything else; over it where there is no room. */
function AssistantSlot() {
  const open = useAssistant((state) => state.open);
  const begun = useAssistant((state) => state.begun);
  if (!begun) return null;
  return (
    <div
      hidden={!open}
      className="w-[384px] max-w-full shrink-0 max-lg:absolute max-lg:inset-y-0 max-lg:right-0 max-lg:z-30 max-lg:shadow-float max-sm:w-full"
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
