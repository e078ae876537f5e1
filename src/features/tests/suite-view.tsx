import { Badge } from "../../ui/feedback/badge.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { CasesSection } from "./cases-section.tsx";
import { ResultsSection } from "./results-section.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { useSuite } from "./use-suites.ts";
import { VersionsSection } from "./versions-section.tsx";

export const suiteTabs = ["results", "cases", "settings", "versions"] as const;
export type SuiteTab = (typeof suiteTabs)[number];

/** One suite: what came out, its cases, what is expected of them, and how it stood earlier. */
export function SuiteView({ suiteId, tab, onTab }: { suiteId: string; tab: SuiteTab; onTab: (tab: SuiteTab) => void }) {
  const suite = useSuite(suiteId);
  if (suite.isPending) return <ListSkeleton label="Opening the suite" />;
  if (suite.isLoadingError) return <LoadFailure error={suite.error} onRetry={() => void suite.refetch()} />;
  const { cases } = suite.data;
  return (
    <Tabs value={tab} onValueChange={(next) => onTab(suiteTabs.find((one) => one === next) ?? "results")}>
      <TabList label="Suite">
        <Tab value="results">Results</Tab>
        <Tab value="cases">
          Cases <Badge>{cases.length}</Badge>
        </Tab>
        <Tab value="settings">Settings</Tab>
        <Tab value="versions">Versions</Tab>
      </TabList>
      <TabPanel value="results" className="pt-4">
        <ResultsSection open={suite.data} onAddCases={() => onTab("cases")} />
      </TabPanel>
      <TabPanel value="cases" className="pt-4">
        <CasesSection open={suite.data} />
      </TabPanel>
      <TabPanel value="settings" className="pt-4">
        <SettingsSection key={JSON.stringify(suite.data.stored)} open={suite.data} />
      </TabPanel>
      <TabPanel value="versions" className="pt-4">
        <VersionsSection open={suite.data} />
      </TabPanel>
    </Tabs>
  );
}
