import { lazy, Suspense } from "react";
import { useSearchParams } from "wouter";
import { RunsView } from "../../features/history/runs-view.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/tabs.tsx";
import { PageFrame } from "./page-frame.tsx";

const CostsView = lazy(async () => ({ default: (await import("../../features/costs/costs-view.tsx")).CostsView }));

/** The stored runs of all workflows, and what they cost. The tab stands in the address. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const tab = search.get("tab") === "costs" ? "costs" : "runs";
  return (
    <PageFrame title="Runs">
      <Tabs value={tab} onValueChange={(next) => setSearch(next === "runs" ? {} : { tab: next }, { replace: true })}>
        <TabList label="Runs">
          <Tab value="runs">History</Tab>
          <Tab value="costs">Costs</Tab>
        </TabList>
        <TabPanel value="runs" className="pt-4">
          <RunsView />
        </TabPanel>
        <TabPanel value="costs" className="pt-4">
          <Suspense fallback={null}>
            <CostsView />
          </Suspense>
        </TabPanel>
      </Tabs>
    </PageFrame>
  );
}
