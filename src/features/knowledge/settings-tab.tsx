import type { CollectionSummary } from "../../services/knowledge.ts";
import { ChunkingSettings } from "./chunking-settings.tsx";
import { DescriptionSettings } from "./description-settings.tsx";
import { EmbeddingSettings } from "./embedding-settings.tsx";
import { useAllDocuments } from "./knowledge-queries.ts";
import { ScanSettings } from "./scan-settings.tsx";
import { LanguageSettings } from "./language-settings.tsx";
import { SearchModeSettings } from "./search-mode-settings.tsx";

/** How a collection is described, embedded, cut, read and searched. Each part that can be set is kept by its own button. */
export function SettingsTab({ collection }: { collection: CollectionSummary }) {
  const documents = useAllDocuments(collection.id);
  const tokens = (documents.data ?? []).reduce((sum, document) => sum + document.tokens, 0);
  return (
    <div className="flex max-w-[640px] flex-col gap-8">
      <EmbeddingSettings key={JSON.stringify(collection.embedding)} collection={collection} tokens={tokens} />
      <ChunkingSettings
        key={JSON.stringify(collection.chunking)}
        collection={collection}
        documents={documents.data ?? []}
        tokens={tokens}
      />
      {collection.embedding !== null && <SearchModeSettings key={collection.searchMode} collection={collection} />}
      <LanguageSettings key={collection.language} collection={collection} />
      <ScanSettings />
      <DescriptionSettings key={collection.description} collection={collection} />
    </div>
  );
}
