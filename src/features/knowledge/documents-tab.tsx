import { hasEnded } from "../../stores/ingest/ingest-job.ts";
import type { CollectionSummary } from "../../stores/knowledge-services.ts";
import { AddDocuments } from "./add-documents.tsx";
import { DocumentList } from "./document-list.tsx";
import { IngestList } from "./ingest-list.tsx";
import { useIngest } from "./use-ingest.ts";

/** What a collection holds, and the ways to add to it. */
export function DocumentsTab({ collection }: { collection: CollectionSummary }) {
  const { ingest, jobs } = useIngest(collection.id);
  const busy = new Set(jobs.flatMap((job) => (hasEnded(job) || job.documentId === null ? [] : [job.documentId])));
  return (
    <div className="flex flex-col gap-4">
      <AddDocuments collection={collection} onAdd={(sources) => void ingest.add(collection.id, sources)} />
      <IngestList ingest={ingest} jobs={jobs} />
      <DocumentList collection={collection} busy={busy} onRestart={ingest.restart} />
    </div>
  );
}
