import { useSearchParams } from "wouter";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/layout/tabs.tsx";
import { DescriptionSettings } from "../description-settings.tsx";
import { SearchTab } from "../search-tab.tsx";
import { TableSettings } from "./table-settings.tsx";

/** A collection that stands for a table: a test search and its settings. The tab stands in the address. */
export function TableView({ collection }: { collection: CollectionSummary & { table: PostgresTable } }) {
  const [search, setSearch] = useSearchParams();
  const tab = search.get("tab") === "settings" ? "settings" : "search";
  return (
    <Tabs value={tab} onValueChange={(next) => setSearch(next === "search" ? {} : { tab: next }, { replace: true })}>
      <TabList label="Collection">
        <Tab value="search">Search</Tab>
        <Tab value="settings">Settings</Tab>
      </TabList>
      <TabPanel value="search" className="pt-5">
        <SearchTab key={JSON.stringify(collection.embedding)} collection={collection} />
      </TabPanel>
      <TabPanel value="settings" className="pt-5">
        <div className="flex max-w-[640px] flex-col gap-8">
          <TableSettings key={JSON.stringify(collection.table)} collection={collection} />
          <DescriptionSettings key={collection.description} collection={collection} />
        </div>
      </TabPanel>
    </Tabs>
  );
}
