import { hasEnded, type IngestJob } from "../../state/knowledge/ingest/ingest-job.ts";
import type { Ingest } from "../../state/knowledge/ingest/ingest.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { AddDocuments } from "./add-documents.tsx";
import { DocumentList } from "./document-list.tsx";
import { IngestList } from "./ingest-list.tsx";

/** What a collection holds, and the ways to add to it. */
export function DocumentsTab({
  collection,
  ingest,
  jobs,
}: {
  collection: CollectionSummary;
  ingest: Ingest;
  jobs: readonly IngestJob[];
}) {
  const busy = new Set(jobs.flatMap((job) => (hasEnded(job) || job.documentId === null ? [] : [job.documentId])));
  const listed = new Set(
    jobs.flatMap(({ status, documentId }) => (status === "failed" || status === "cancelled" ? (documentId ?? []) : [])),
  );
  return (
    <div className="flex flex-col gap-4">
      <AddDocuments collection={collection} onAdd={(sources) => void ingest.add(collection.id, sources)} />
      <IngestList ingest={ingest} jobs={jobs} />
      <DocumentList collection={collection} busy={busy} listed={listed} onRestart={ingest.restart} />
    </div>
  );
}
