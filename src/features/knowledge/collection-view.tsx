import { useSearchParams } from "wouter";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";
import { DocumentsTab } from "./documents-tab.tsx";
import { useIngest } from "./use-ingest.ts";
import { QualityTab } from "./quality/quality-tab.tsx";
import { SearchTab } from "./search-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { TableView } from "./table/table-view.tsx";
import { SourcesTab } from "./sources/sources-tab.tsx";

const tabs = ["documents", "sources", "search", "quality", "settings"] as const;

/** One collection, as what it holds asks. */
export function CollectionView({ collection }: { collection: CollectionSummary }) {
  const { table } = collection;
  return table ? <TableView collection={{ ...collection, table }} /> : <DocumentsView collection={collection} />;
}

/** A collection of documents: its documents, where they come from, a test search, how good its searches are, its settings. The tab stands in the address. */
function DocumentsView({ collection }: { collection: CollectionSummary }) {
  const [search, setSearch] = useSearchParams();
  // Here rather than on the tab of documents, so that the states are right whichever tab is open when a job ends.
  const ingest = useIngest(collection.id);
  const tab = tabs.find((each) => each === search.get("tab")) ?? "documents";
  return (
    <Tabs value={tab} onValueChange={(next) => setSearch(next === "documents" ? {} : { tab: next }, { replace: true })}>
      <TabList label="Collection">
        <Tab value="documents" count={collection.documents}>
          Documents
        </Tab>
        <Tab value="sources">Sources</Tab>
        <Tab value="search">Search</Tab>
        <Tab value="quality">Quality</Tab>
        <Tab value="settings">Settings</Tab>
      </TabList>
      <TabPanel value="documents" className="pt-5">
        <DocumentsTab collection={collection} {...ingest} />
      </TabPanel>
      <TabPanel value="sources" className="pt-5">
        <SourcesTab collection={collection} />
      </TabPanel>
      <TabPanel value="search" className="pt-5">
        <SearchTab key={JSON.stringify(collection.embedding)} collection={collection} />
      </TabPanel>
      <TabPanel value="quality" className="pt-5">
        <QualityTab collection={collection} />
      </TabPanel>
      <TabPanel value="settings" className="pt-5">
        <SettingsTab collection={collection} />
      </TabPanel>
    </Tabs>
  );
}
