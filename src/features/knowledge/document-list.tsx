import { useState } from "react";
import { Link } from "wouter";
import type { DocumentKind } from "../../engine/knowledge/source-document.ts";
import type { CollectionSummary, DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { useSettled } from "../../state/shared/use-pages.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { formatCost } from "../../ui/text/format-amount.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { DescribeDialog } from "./describe-dialog.tsx";
import { counted } from "./ingest-text.ts";
import { useDocuments } from "./knowledge-queries.ts";
import { useRemoval } from "./use-removal.ts";

const kindIcons: Record<DocumentKind, IconName> = {
  text: "file-text",
  markdown: "file-text",
  html: "globe",
  csv: "list",
  json: "file-json",
  xml: "file-json",
  pdf: "file-text",
  docx: "file-text",
  xlsx: "list",
  pptx: "file-text",
  odt: "file-text",
  ods: "list",
  epub: "file-text",
  rtf: "file-text",
  eml: "inbox",
  msg: "inbox",
  picture: "image",
};

/** Deletes documents, with Undo. */
export function useRemoveDocument(onRemoved?: () => void) {
  const { knowledge } = useServices();
  return useRemoval({
    remove: (id) => knowledge.removeDocument(id),
    restore: (id) => knowledge.restoreDocument(id),
    onRemoved,
  });
}

/** So many are looked through without a search. */
const fewDocuments = 12;

interface DocumentListProps {
  collection: CollectionSummary;
  /** Ids of documents that a job is working on. */
  busy: ReadonlySet<string>;
  /** Ids of documents that are not complete and stand above, among those being added; a search finds them here, too. */
  listed: ReadonlySet<string>;
  /** Goes on with a document that is not stored completely. */
  onRestart: (document: DocumentSummary) => void;
}

/** The documents of a collection, the latest first. */
export function DocumentList({ collection, busy, listed, onRestart }: DocumentListProps) {
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const list = useDocuments(collection.id, settled);
  const remove = useRemoveDocument();
  const [isDescribing, setDescribing] = useState(false);
  if (list.isPending) return <ListSkeleton label="Loading documents" />;
  if (list.isLoadingError) return <LoadFailure error={list.error} onRetry={() => void list.refetch()} />;
  const rows = list.rows ?? [];
  const isSearched = search !== "" || settled !== "";
  const shown = isSearched ? rows : rows.filter(({ id }) => !listed.has(id));
  if (list.first?.total === 0 && !isSearched) {
    return busy.size > 0 ? null : (
      <EmptyState icon="file-text" title="No documents yet">
        Drop files above, paste text, or add the address of a page.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {(isSearched || list.hasNextPage || rows.length > fewDocuments) && (
          <SearchField what="documents" value={search} onChange={setSearch} className="sm:max-w-80" />
        )}
        {rows.length > 0 && search === settled && (
          <Button size="sm" icon="pencil" className="ml-auto" onClick={() => setDescribing(true)}>
            Set metadata of {counted(list.first?.total ?? rows.length, "document")}
          </Button>
        )}
      </div>
      {isDescribing && (
        <DescribeDialog
          collectionId={collection.id}
          search={settled}
          count={list.first?.total ?? rows.length}
          onClose={() => setDescribing(false)}
        />
      )}
      {rows.length === 0 ? (
        <EmptyState
          icon="search"
          title={`No document is called “${settled}”`}
          action={<Button onClick={() => setSearch("")}>Show all</Button>}
        />
      ) : shown.length === 0 ? null : (
        <ul aria-label="Documents" className="overflow-hidden rounded-lg border bg-surface">
          {shown.map((document) => (
            <DocumentRow
              key={document.id}
              document={document}
              busy={busy.has(document.id)}
              onRestart={() => onRestart(document)}
              onRemove={() => remove.mutate(document)}
            />
          ))}
        </ul>
      )}
      <LoadMore
        shown={rows.length}
        total={list.first?.total ?? 0}
        what="documents"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </div>
  );
}

interface DocumentRowProps {
  document: DocumentSummary;
  busy: boolean;
  onRestart: () => void;
  onRemove: () => void;
}

function pendingWord({ busy, waits }: { busy: boolean; waits: boolean }): string {
  if (busy) return "being added";
  return waits ? "waits for a worker" : "incomplete";
}

function DocumentRow({ document, busy, onRestart, onRemove }: DocumentRowProps) {
  const { id, collectionId, name, kind, source, size, chunks, costUsd, updatedAt, status, error, waits } = document;
  return (
    <li className="relative flex items-start gap-3 border-b px-3 py-2.5 last:border-b-0 hover:bg-hover sm:px-4">
      <span className="mt-0.5 text-muted">
        <Icon name={kindIcons[kind]} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            href={`/knowledge/${collectionId}/documents/${id}`}
            className="truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          {status === "pending" && (
            <Badge tone={busy || waits ? "accent" : "warning"}>{pendingWord({ busy, waits })}</Badge>
          )}
          {status === "failed" && <Badge tone="danger">failed</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted numeric">
          <span>{counted(chunks, "chunk")}</span>
          <span>{formatBytes(size)}</span>
          {costUsd !== 0 && <span>{formatCost(costUsd)}</span>}
          <time dateTime={updatedAt}>{formatMoment(Date.parse(updatedAt))}</time>
          {source !== "" && source !== name && <span className="max-w-72 truncate">{source}</span>}
        </p>
        {error !== null && (
          <p className="text-xs text-danger wrap-anywhere">
            {error.message} {error.hint}
          </p>
        )}
      </div>
      <span className="relative z-1 flex gap-1">
        {status !== "ready" && !busy && !waits && (
          <Button size="sm" onClick={onRestart}>
            {status === "failed" ? "Try again" : "Resume"}
          </Button>
        )}
        <IconButton size="sm" icon="trash-2" label={`Delete ${name}`} disabled={busy} onClick={onRemove} />
      </span>
    </li>
  );
}
