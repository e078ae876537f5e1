import { useSearchParams } from "wouter";
import { ChoreProblems } from "../../features/activity/chore-problems.tsx";
import { RunsView } from "../../features/history/runs-view.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { PageFrame } from "./page-frame.tsx";
import { CostsView } from "../../features/costs/costs-view.tsx";
import { PublishedList } from "../../features/activity/published-list.tsx";

/** The stored runs of all workflows, what they cost, and how published workflows are doing. The tab stands in the address. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const named = search.get("tab");
  const tab = named === "costs" || named === "published" ? named : "runs";
  return (
    <PageFrame title="Runs">
      <ChoreProblems />
      <Tabs value={tab} onValueChange={(next) => setSearch(next === "runs" ? {} : { tab: next }, { replace: true })}>
        <TabList label="Runs">
          <Tab value="runs">History</Tab>
          <Tab value="costs">Costs</Tab>
          <Tab value="published">Published</Tab>
        </TabList>
        <TabPanel value="runs" className="pt-4">
          <RunsView />
        </TabPanel>
        <TabPanel value="costs" className="pt-4">
          <CostsView />
        </TabPanel>
        <TabPanel value="published" className="pt-4">
          <PublishedList />
        </TabPanel>
      </Tabs>
    </PageFrame>
  );
}
