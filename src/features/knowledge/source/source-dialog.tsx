import { useState } from "react";
import { Link } from "wouter";
import { hasPages } from "../../../engine/knowledge/source-document.ts";
import type { ChunkEntry, DocumentSummary } from "../../../services/knowledge.ts";
import { ServiceError } from "../../../services/services.ts";
import { buttonClass } from "../../../ui/buttons/button.tsx";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Icon } from "../../../ui/icons/icon.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../ui/layout/tabs.tsx";
import { Dialog } from "../../../ui/overlays/dialog.tsx";
import { chunkPlace } from "../chunk-place.ts";
import { useAround, useOriginal, useSections } from "../knowledge-queries.ts";
import { PdfSource } from "./pdf-source.tsx";
import { SourceText } from "./source-text.tsx";
import { pageAddress, passageAddress } from "./text-fragment.ts";

/** The document that a passage is from, opened at the passage. */
export function SourceDialog({ chunkId, onClose }: { chunkId: string; onClose: () => void }) {
  const found = useAround(chunkId, 0);
  const document = found.data?.document;
  const chunk = found.data?.chunks.find(({ id }) => id === chunkId);
  const gone = found.error instanceof ServiceError && found.error.kind === "not-found";
  return (
    <Dialog
      open
      size="xl"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={document?.name ?? "Source"}
      description={chunk && chunkPlace({ ...chunk.metadata, heading: chunk.heading, position: chunk.position })}
      footer={document && chunk && <Ways document={document} chunk={chunk} onClose={onClose} />}
    >
      {found.isPending && <ListSkeleton label="Loading the passage" />}
      {found.isError &&
        (gone ? (
          <Notice tone="warning" title="This passage no longer exists">
            Its document was changed or deleted since this answer was given.
          </Notice>
        ) : (
          <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
        ))}
      {document &&
        chunk &&
        (hasPages(document.kind) ? <PagesOrText document={document} chunk={chunk} /> : <Text chunk={chunk} />)}
    </Dialog>
  );
}

interface Place {
  document: DocumentSummary;
  chunk: ChunkEntry;
}

function pageOf({ metadata }: ChunkEntry): number {
  return typeof metadata["page"] === "number" ? Math.max(1, metadata["page"]) : 1;
}

/** To the page of the web at the passage, and to the document with its chunks. */
function Ways({ document, chunk, onClose }: Place & { onClose: () => void }) {
  const { id, collectionId, source, kind } = document;
  return (
    <>
      {/^https?:/i.test(source) && (
        <a
          href={hasPages(kind) ? pageAddress(source, pageOf(chunk)) : passageAddress(source, chunk.content)}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className={buttonClass("secondary", "sm")}
        >
          <Icon name="arrow-up-right" size={14} />
          Open the source
        </a>
      )}
      <Link
        href={`/knowledge/${collectionId}/documents/${id}?chunk=${chunk.position}`}
        className={buttonClass("secondary", "sm")}
        onClick={onClose}
      >
        Open the document
      </Link>
    </>
  );
}

const views = ["pages", "text"] as const;

function PagesOrText({ document, chunk }: Place) {
  const original = useOriginal(document.id);
  const [view, setView] = useState<(typeof views)[number]>("pages");
  if (original.isPending) return <ListSkeleton label="Loading the document" />;
  if (original.isError) return <LoadFailure error={original.error} onRetry={() => void original.refetch()} />;
  if (original.data === null) {
    return (
      <div className="flex flex-col gap-3">
        <Notice title="The pages of this PDF cannot be shown">
          Its file was not kept. Add the file to the collection again to see its pages here.
        </Notice>
        <Text chunk={chunk} />
      </div>
    );
  }
  return (
    <Tabs look="switch" value={view} onValueChange={(next) => setView(views.find((each) => each === next) ?? "pages")}>
      <TabList label="View">
        <Tab value="pages">Pages</Tab>
        <Tab value="text">Text</Tab>
      </TabList>
      <TabPanel value="pages" className="pt-3">
        <PdfSource
          key={original.data}
          fileId={original.data}
          name={document.name}
          passage={chunk.content}
          page={pageOf(chunk)}
        />
      </TabPanel>
      <TabPanel value="text" className="pt-3">
        <Text chunk={chunk} />
      </TabPanel>
    </Tabs>
  );
}

function Text({ chunk }: { chunk: ChunkEntry }) {
  const sections = useSections(chunk.documentId);
  if (sections.isPending) return <ListSkeleton label="Loading the text" />;
  if (sections.isError) return <LoadFailure error={sections.error} onRetry={() => void sections.refetch()} />;
  return <SourceText sections={sections.data} passage={chunk.content} heading={chunk.heading} />;
}
