import { type ReactNode, useEffect, useRef } from "react";
import { useEditor } from "../../stores/editor-context.tsx";
import { panelTabs, type PanelTab, usePanelStore } from "../../stores/panel-store.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Splitter } from "../../ui/splitter.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { LogsPanel } from "./logs-panel.tsx";
import { StepsPanel } from "./steps-panel.tsx";
import { WaterfallPanel } from "./waterfall-panel.tsx";

interface ResultsDrawerProps {
  /** At the lower edge, or at the right where the window is wide. */
  dock: "bottom" | "right";
  chat: ReactNode;
  history: ReactNode;
  /** Stands above every tab: notices about the run. */
  notices?: ReactNode;
  /** Stands below every tab but the chat, which has its own place for it. */
  approvals?: ReactNode;
}

const tabWords: Record<PanelTab, string> = {
  chat: "Chat",
  steps: "Steps",
  waterfall: "Waterfall",
  logs: "Logs",
  history: "History",
};

const heights = { min: 160, max: 900 };
const widths = { min: 320, max: 900 };
/** By then the canvas knows its new size. */
const afterLayoutMs = 50;

/** Chat, steps, waterfall, logs and history of runs, in a resizable drawer; closed it leaves one row of tabs. */
export function ResultsDrawer({ dock, chat, history, notices, approvals }: ResultsDrawerProps) {
  const { open, tab, height, width, show, close, resize } = usePanelStore((state) => state);
  const bottom = dock === "bottom";
  useFitOnOpen(open);
  if (!open) return <ClosedDrawer dock={dock} onShow={show} />;

  const limits = bottom ? heights : widths;
  const size = Math.min(bottom ? height : width, limits.max);
  const onChange = (value: number) => resize(bottom ? { height: value } : { width: value });
  const panels: Record<PanelTab, ReactNode> = {
    chat,
    steps: <StepsPanel />,
    waterfall: <WaterfallPanel />,
    logs: <LogsPanel />,
    history,
  };
  return (
    <>
      <Splitter
        label="Size of the run panel"
        orientation={bottom ? "horizontal" : "vertical"}
        value={size}
        {...limits}
        onChange={onChange}
      />
      <aside
        aria-label="Run panel"
        className="flex max-h-[70vh] min-h-0 shrink-0 flex-col bg-surface data-[dock=right]:max-h-none data-[dock=right]:max-w-[50vw]"
        data-dock={dock}
        style={bottom ? { height: size } : { width: size }}
      >
        <Tabs value={tab} onValueChange={(value) => show(asTab(value))} className="min-h-0 flex-1">
          <TabList
            label="Run panel"
            end={
              <IconButton
                size="sm"
                icon={bottom ? "chevron-down" : "chevron-right"}
                label="Close the run panel"
                shortcut="mod+j"
                tooltipSide="top"
                onClick={close}
              />
            }
          >
            {panelTabs.map((one) => (
              <Tab key={one} value={one}>
                {tabWords[one]}
              </Tab>
            ))}
          </TabList>
          {notices}
          {panelTabs.map((one) => (
            <TabPanel key={one} value={one} className="flex flex-col">
              <div className="min-h-0 flex-1">{panels[one]}</div>
              {one !== "chat" && approvals}
            </TabPanel>
          ))}
        </Tabs>
      </aside>
    </>
  );
}

/** Opening the drawer takes room from the canvas: the whole graph comes back into view. */
function useFitOnOpen(open: boolean): void {
  const { canvas } = useEditor();
  const before = useRef(open);
  useEffect(() => {
    const opened = open && !before.current;
    before.current = open;
    if (!opened) return undefined;
    const timer = setTimeout(() => canvas.getState().controls?.fit(), afterLayoutMs);
    return () => clearTimeout(timer);
  }, [canvas, open]);
}

function ClosedDrawer({ dock, onShow }: { dock: "bottom" | "right"; onShow: (tab: PanelTab) => void }) {
  const looks =
    dock === "bottom" ? "flex h-9 border-t px-2" : "flex w-9 flex-col border-l py-2 [writing-mode:vertical-rl]";
  return (
    <nav aria-label="Run panel" className={`${looks} shrink-0 items-center gap-1 bg-surface`}>
      {panelTabs.map((one) => (
        <button
          key={one}
          type="button"
          className="rounded-md px-2 py-1 text-sm text-muted hover:bg-hover hover:text-ink"
          onClick={() => onShow(one)}
        >
          {tabWords[one]}
        </button>
      ))}
    </nav>
  );
}

function asTab(value: string): PanelTab {
  return panelTabs.find((tab) => tab === value) ?? "chat";
}
