import { useState } from "react";
import { Link } from "wouter";
import { Button, buttonClass } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { ChunkText } from "./chunk-text.tsx";
import { counted } from "./ingest-text.ts";
import { useAround } from "./knowledge-queries.ts";
import { ServiceError } from "../../services/services.ts";

/** A chunk between its neighbours, and the way through the document: by buttons or the arrow keys. */
export function ChunkDialog({ chunkId, onClose }: { chunkId: string; onClose: () => void }) {
  const [shownId, setShownId] = useState(chunkId);
  const found = useAround(shownId, 1);
  const { document, chunks = [] } = found.data ?? {};
  const at = chunks.findIndex(({ id }) => id === shownId);
  const before = at > 0 ? chunks[at - 1] : undefined;
  const after = at < 0 ? undefined : chunks[at + 1];
  const gone = found.error instanceof ServiceError && found.error.kind === "not-found";

  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={document?.name ?? "Source"}
      description={document === undefined ? undefined : `${counted(document.chunks, "chunk")} in this document`}
      footer={
        document !== undefined && (
          <>
            <span className="flex flex-1 gap-2">
              <Button
                size="sm"
                icon="chevron-left"
                disabled={before === undefined}
                onClick={() => before && setShownId(before.id)}
              >
                Previous
              </Button>
              <Button
                size="sm"
                icon="chevron-right"
                disabled={after === undefined}
                onClick={() => after && setShownId(after.id)}
              >
                Next
              </Button>
            </span>
            <Link
              href={`/knowledge/${document.collectionId}/documents/${document.id}?chunk=${chunks[at]?.position ?? 0}`}
              className={buttonClass("secondary", "sm")}
              onClick={onClose}
            >
              Open the document
            </Link>
          </>
        )
      }
    >
      <div
        tabIndex={0}
        role="group"
        aria-label="Passage and its neighbours"
        className="flex flex-col gap-2 outline-none"
        onKeyDown={(event) => {
          const next = event.key === "ArrowLeft" ? before : event.key === "ArrowRight" ? after : undefined;
          if (next === undefined) return;
          event.preventDefault();
          setShownId(next.id);
        }}
      >
        {found.isPending && <Spinner label="Loading the passage" />}
        {found.isError &&
          (gone ? (
            <Notice tone="warning" title="This passage no longer exists">
              Its document was changed or deleted since this answer was given.
            </Notice>
          ) : (
            <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
          ))}
        {chunks.map((chunk) => (
          <ChunkText key={chunk.id} chunk={chunk} look={chunk.id === shownId ? "chosen" : "neighbour"} />
        ))}
      </div>
    </Dialog>
  );
}
