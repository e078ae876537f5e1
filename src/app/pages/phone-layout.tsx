import { triggersOf } from "../../engine/document/triggers.ts";
import { useEffect } from "react";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { phoneShare } from "../../state/editor/dock.ts";
import { panelStore, usePanelStore } from "../../state/editor/panel-store.ts";
import type { RunControl } from "../../state/run/run-control.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { CanvasArea } from "./canvas-area.tsx";
import type { RunPaneName } from "./run-panes.tsx";
import { Inspector, OutlinePanel, Palette, RunPane } from "./workbench-parts.ts";

type PaneName = "canvas" | RunPaneName;

const words: Record<PaneName, string> = {
  canvas: "Canvas",
  chat: "Chat",
  run: "Run",
  history: "History",
  memory: "Memory",
};
const runPanes: readonly RunPaneName[] = ["chat", "run", "history", "memory"];
const paneNames: readonly PaneName[] = ["canvas", ...runPanes];

/** One pane at a time; what opens the run panel elsewhere turns to the pane here. Chat comes first where there is one. */
export function PhoneLayout({ control }: { control: RunControl }) {
  const { canvas, document, registry } = useEditor();
  const open = usePanelStore((state) => state.open);
  const tab = usePanelStore((state) => state.tab);
  const paletteOpen = useCanvasStore((state) => state.paletteOpen);
  const outlineOpen = useCanvasStore((state) => state.outlineOpen);
  const inspecting = useCanvasStore((state) => singleSelectedNode(state) !== null);
  const pane: PaneName = !open ? "canvas" : (runPanes.find((name) => name === tab) ?? "run");

  useEffect(() => {
    if (triggersOf(document.getState().document, registry, "message").length > 0) panelStore.getState().show("chat");
    else panelStore.getState().close();
  }, [document, registry]);

  function turnTo(value: string) {
    const next = runPanes.find((name) => name === value);
    if (next === undefined) panelStore.getState().close();
    else panelStore.getState().show(next);
  }

  return (
    <Tabs value={pane} onValueChange={turnTo} className="flex-1 bg-surface">
      <TabList label="Panes">
        {paneNames.map((name) => (
          <Tab key={name} value={name}>
            {words[name]}
          </Tab>
        ))}
      </TabList>
      <TabPanel value="canvas" className="relative flex flex-col">
        <CanvasArea />
        {(paletteOpen || outlineOpen) && (
          <div className="absolute inset-0 z-20 bg-surface">
            {paletteOpen ? (
              <Palette closeOnAdd onClose={() => canvas.setState({ paletteOpen: false })} />
            ) : (
              <OutlinePanel onClose={() => canvas.setState({ outlineOpen: false })} />
            )}
          </div>
        )}
        {/* Below the canvas, so that the node that it is about stays in view. */}
        {inspecting && (
          <div className="shrink-0 border-t bg-surface" style={{ height: `${phoneShare * 100}%` }}>
            <Inspector />
          </div>
        )}
      </TabPanel>
      {runPanes.map((name) => (
        <TabPanel key={name} value={name}>
          <RunPane name={name} control={control} />
        </TabPanel>
      ))}
    </Tabs>
  );
}
