import type { ReactNode } from "react";
import { type RunView, runViews, usePanelStore } from "../../state/editor/panel-store.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { LogsPanel } from "./logs-panel.tsx";
import { StepsPanel } from "./steps-panel.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { WaterfallPanel } from "./waterfall-panel.tsx";
import { WorkspacePanel } from "./workspace-panel.tsx";

const views: Record<RunView, { words: string; Panel: () => ReactNode }> = {
  steps: { words: "Steps", Panel: StepsPanel },
  waterfall: { words: "Waterfall", Panel: WaterfallPanel },
  logs: { words: "Logs", Panel: LogsPanel },
  files: { words: "Files", Panel: WorkspacePanel },
};

/** One run as its steps, on a time axis, line by line, or as the files of its workspaces. */
export function RunViews() {
  const lastView = usePanelStore((state) => state.view);
  const show = usePanelStore((state) => state.show);
  const hasFiles = Object.keys(useShownRun()?.workspaceFiles ?? {}).length > 0;
  const shown = runViews.filter((one) => one !== "files" || hasFiles);
  const view = shown.includes(lastView) ? lastView : "steps";
  return (
    <Tabs
      look="switch"
      value={view}
      onValueChange={(value) => show(shown.find((one) => one === value) ?? "steps")}
      className="h-full"
    >
      <TabList label="View of the run">
        {shown.map((one) => (
          <Tab key={one} value={one}>
            {views[one].words}
          </Tab>
        ))}
      </TabList>
      {shown.map((one) => {
        const { Panel } = views[one];
        return (
          <TabPanel key={one} value={one}>
            <Panel />
          </TabPanel>
        );
      })}
    </Tabs>
  );
}
