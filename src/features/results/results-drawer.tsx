import type { ReactNode } from "react";
import { panelTabs, type PanelTab, usePanelStore } from "../../state/editor/panel-store.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Splitter } from "../../ui/layout/splitter.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { tabWords } from "./closed-drawer.tsx";
import { RunViews } from "./run-views.tsx";

interface ResultsDrawerProps {
  /** At the lower edge, or at the right where the window is wide. */
  dock: "bottom" | "right";
  /** The tabs that make sense here; all when absent. */
  tabs?: readonly PanelTab[];
  /** The settings of the selected node, where they share the place of the panel: a tab before the others. */
  settings?: ReactNode;
  chat: ReactNode;
  history: ReactNode;
  memory: ReactNode;
  /** Stands above every tab: notices about the run. */
  notices?: ReactNode;
  /** Stands below every tab but the chat, which has its own place for it. */
  approvals?: ReactNode;
}

const heights = { min: 160, max: 900 };
const widths = { min: 320, max: 900 };
const settingsTab = "node";

/** The canvas keeps half of the window. */
const half = (bottom: boolean) => (bottom ? window.innerHeight : window.innerWidth) / 2;

/** Chat, run, history and memory, in a resizable drawer; `ClosedDrawer` stands for it while it is closed. */
export function ResultsDrawer({
  dock,
  tabs = panelTabs,
  settings,
  chat,
  history,
  memory,
  notices,
  approvals,
}: ResultsDrawerProps) {
  const {
    tab: lastTab,
    height,
    width,
    settingsInFront,
    show,
    close,
    resize,
    showSettings,
  } = usePanelStore((state) => state);
  const hasSettings = settings !== undefined;
  const inSettings = hasSettings && settingsInFront;
  const tab = inSettings ? settingsTab : tabs.includes(lastTab) ? lastTab : "run";
  const bottom = dock === "bottom";
  const limits = bottom ? heights : widths;
  const max = Math.max(limits.min, Math.min(limits.max, half(bottom)));
  const size = Math.min(bottom ? height : width, max);
  const onChange = (value: number) => resize(bottom ? { height: value } : { width: value });
  const panels: Record<PanelTab, ReactNode> = {
    chat,
    run: <RunViews />,
    history,
    memory,
  };
  return (
    <>
      <Splitter
        label="Size of the run panel"
        orientation={bottom ? "horizontal" : "vertical"}
        value={size}
        min={limits.min}
        max={max}
        onChange={onChange}
      />
      <aside
        aria-label="Run panel"
        className="flex min-h-0 min-w-0 flex-col bg-surface"
        data-dock={dock}
        style={bottom ? { height: size, maxHeight: "50vh" } : { width: size, maxWidth: "50vw" }}
      >
        <Tabs
          value={tab}
          onValueChange={(value) => (value === settingsTab ? showSettings(true) : show(asTab(value)))}
          className="min-h-0 flex-1"
        >
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
            {hasSettings && <Tab value={settingsTab}>Node</Tab>}
            {tabs.map((one) => (
              <Tab key={one} value={one}>
                {tabWords[one]}
              </Tab>
            ))}
          </TabList>
          {hasSettings && <TabPanel value={settingsTab}>{settings}</TabPanel>}
          {!inSettings && notices}
          {tabs.map((one) => (
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

function asTab(value: string): PanelTab {
  return panelTabs.find((tab) => tab === value) ?? "chat";
}
