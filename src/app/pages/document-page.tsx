import { Link, useLocation, useSearchParams } from "wouter";
import { DocumentFacts } from "../../features/knowledge/document-facts.tsx";
import { DocumentLanguage } from "../../features/knowledge/document-language.tsx";
import { DocumentMetadata } from "../../features/knowledge/document-metadata.tsx";
import { useRemoveDocument } from "../../features/knowledge/document-list.tsx";
import { DocumentView } from "../../features/knowledge/document-view.tsx";
import { useCollection, useDocument } from "../../features/knowledge/knowledge-queries.ts";
import { NotLoaded } from "../../features/knowledge/not-loaded.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { BackLink } from "./back-link.tsx";
import { PageFrame } from "./page-frame.tsx";

/** One document and its chunks; `?chunk=12` begins at and marks the chunk at that position. */
export function DocumentPage({ collectionId, documentId }: { collectionId: string; documentId: string }) {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const collection = useCollection(collectionId);
  const found = useDocument(collectionId, documentId);
  const remove = useRemoveDocument(() => navigate(`/knowledge/${collectionId}`));
  const document = found.data;
  const chunk = search.get("chunk");
  const position = chunk !== null && /^\d{1,9}$/.test(chunk) ? Number(chunk) : null;
  const above = <BackLink href={`/knowledge/${collectionId}`}>{collection.data?.name ?? "Collection"}</BackLink>;

  if (document === undefined) {
    return (
      <PageFrame title="Document" above={above}>
        {found.isPending ? (
          <ListSkeleton label="Loading the document" />
        ) : (
          <NotLoaded what="document" error={found.error} onRetry={() => void found.refetch()}>
            <Link href={`/knowledge/${collectionId}`}>All documents</Link>
          </NotLoaded>
        )}
      </PageFrame>
    );
  }
  return (
    <PageFrame
      title={document.name}
      above={above}
      lead={<DocumentFacts document={document} />}
      actions={
        <>
          <DocumentLanguage document={document} />
          <Button icon="trash-2" busy={remove.isPending} onClick={() => remove.mutate(document)}>
            Delete
          </Button>
        </>
      }
    >
      <DocumentMetadata key={JSON.stringify(document.metadata)} document={document} />
      <DocumentView key={position} document={document} position={position} />
    </PageFrame>
  );
}
