import { lazy, Suspense, useEffect, useState } from "react";
import { ApprovalList } from "../../features/approval/approval-list.tsx";
import { Canvas } from "../../features/canvas/canvas.tsx";
import { ChatPanel } from "../../features/chat/chat-panel.tsx";
import { EmptyCanvas } from "../../features/editor/empty-canvas.tsx";
import { HistoryPanel } from "../../features/history/history-panel.tsx";
import { Inspector } from "../../features/inspector/inspector.tsx";
import { Palette } from "../../features/palette/palette.tsx";
import { ResultsDrawer } from "../../features/results/results-drawer.tsx";
import { StepsPanel } from "../../features/results/steps-panel.tsx";
import { RunNotices } from "../../features/run/run-notices.tsx";
import { singleSelectedNode } from "../../stores/canvas-store.ts";
import { useCanvasStore, useEditor } from "../../stores/editor-context.tsx";
import { panelStore, usePanelStore } from "../../stores/panel-store.ts";
import type { RunControl } from "../../stores/run-control.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Splitter } from "../../ui/splitter.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { useMedia } from "../use-media.ts";

const CommandMenu = lazy(() => import("../../features/palette/command-menu.tsx"));
const ShortcutSheet = lazy(() => import("../../features/palette/shortcut-sheet.tsx"));

const phone = "(max-width: 639px)";
const wide = "(min-width: 1760px)";
const inspectorWidths = { min: 300, max: 640, usual: 360 };

/** The graph with what floats over it. */
function CanvasArea() {
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

/** What opens over everything else. */
function Overlays() {
  const { canvas } = useEditor();
  const menuOpen = useCanvasStore((state) => state.commandMenuOpen);
  const shortcutsOpen = useCanvasStore((state) => state.shortcutsOpen);
  return (
    <Suspense fallback={null}>
      {menuOpen && <CommandMenu onClose={() => canvas.setState({ commandMenuOpen: false })} />}
      {shortcutsOpen && <ShortcutSheet onClose={() => canvas.setState({ shortcutsOpen: false })} />}
    </Suspense>
  );
}

function DeskLayout({ control }: { control: RunControl }) {
  const { canvas } = useEditor();
  const dock = useMedia(wide) ? "right" : "bottom";
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const inspecting = useCanvasStore((state) => singleSelectedNode(state) !== null);
  const [width, setWidth] = useState(inspectorWidths.usual);
  const drawer = (
    <ResultsDrawer
      dock={dock}
      chat={<ChatPanel control={control} notice={<ApprovalList />} />}
      history={<HistoryPanel />}
      notices={<RunNotices execution={control} />}
      approvals={<ApprovalList />}
    />
  );
  return (
    <div className="flex min-h-0 flex-1">
      {paletteOpen && <Palette onClose={() => canvas.setState({ paletteOpen: false })} />}
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1">
          <CanvasArea />
          {inspecting && (
            <>
              <Splitter
                label="Width of the settings"
                orientation="vertical"
                value={width}
                min={inspectorWidths.min}
                max={inspectorWidths.max}
                onChange={setWidth}
              />
              <div className="max-w-[60%] shrink-0" style={{ width }}>
                <Inspector />
              </div>
            </>
          )}
        </div>
        {dock === "bottom" && drawer}
      </div>
      {dock === "right" && drawer}
    </div>
  );
}

type Pane = "canvas" | "chat" | "steps" | "history";

const panes: Record<Pane, string> = { canvas: "Canvas", chat: "Chat", steps: "Steps", history: "History" };
const paneNames: readonly Pane[] = ["canvas", "chat", "steps", "history"];

/** One pane at a time; what opens the run panel elsewhere turns to the pane here. Chat comes first where there is one. */
function PhoneLayout({ control }: { control: RunControl }) {
  const { canvas, document } = useEditor();
  const open = usePanelStore((state) => state.open);
  const tab = usePanelStore((state) => state.tab);
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const inspecting = useCanvasStore((state) => singleSelectedNode(state) !== null);
  const pane: Pane = !open ? "canvas" : tab === "chat" || tab === "history" ? tab : "steps";

  useEffect(() => {
    const nodes = Object.values(document.getState().document.nodes);
    if (nodes.some(({ type }) => type === "chat-trigger")) panelStore.getState().show("chat");
    else panelStore.getState().close();
  }, [document]);

  function turnTo(value: string) {
    const next = paneNames.find((name) => name === value) ?? "canvas";
    if (next === "canvas") panelStore.getState().close();
    else panelStore.getState().show(next);
  }

  return (
    <Tabs value={pane} onValueChange={turnTo} className="flex-1 bg-surface">
      <TabList label="Panes">
        {paneNames.map((name) => (
          <Tab key={name} value={name}>
            {panes[name]}
          </Tab>
        ))}
      </TabList>
      <RunNotices execution={control} />
      <TabPanel value="canvas" className="relative flex flex-col">
        <CanvasArea />
        {(paletteOpen || inspecting) && (
          <div className="absolute inset-0 z-20 bg-surface">
            {paletteOpen ? (
              <Palette closeOnAdd onClose={() => canvas.setState({ paletteOpen: false })} />
            ) : (
              <Inspector />
            )}
          </div>
        )}
      </TabPanel>
      <TabPanel value="chat">
        <ChatPanel control={control} notice={<ApprovalList />} />
      </TabPanel>
      <TabPanel value="steps" className="flex flex-col">
        <div className="min-h-0 flex-1">
          <StepsPanel />
        </div>
        <ApprovalList />
      </TabPanel>
      <TabPanel value="history">
        <HistoryPanel />
      </TabPanel>
    </Tabs>
  );
}

/** Canvas, palette, inspector and run panel, side by side on a desk and one at a time on a phone. */
export function EditorLayout({ control }: { control: RunControl }) {
  const onPhone = useMedia(phone);
  return (
    <>
      {onPhone ? <PhoneLayout control={control} /> : <DeskLayout control={control} />}
      <Overlays />
    </>
  );
}
