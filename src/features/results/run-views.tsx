import type { ReactNode } from "react";
import { type RunView, runViews, usePanelStore } from "../../state/editor/panel-store.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { LogsPanel } from "./logs-panel.tsx";
import { StepsPanel } from "./steps-panel.tsx";
import { WaterfallPanel } from "./waterfall-panel.tsx";

const views: Record<RunView, { words: string; Panel: () => ReactNode }> = {
  steps: { words: "Steps", Panel: StepsPanel },
  waterfall: { words: "Waterfall", Panel: WaterfallPanel },
  logs: { words: "Logs", Panel: LogsPanel },
};

/** One run as its steps, on a time axis, or line by line. */
export function RunViews() {
  const view = usePanelStore((state) => state.view);
  const show = usePanelStore((state) => state.show);
  return (
    <Tabs
      look="switch"
      value={view}
      onValueChange={(value) => show(runViews.find((one) => one === value) ?? "steps")}
      className="h-full"
    >
      <TabList label="View of the run">
        {runViews.map((one) => (
          <Tab key={one} value={one}>
            {views[one].words}
          </Tab>
        ))}
      </TabList>
      {runViews.map((one) => {
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
