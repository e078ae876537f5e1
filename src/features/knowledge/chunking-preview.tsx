import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Chunking } from "../../engine/knowledge/chunking.ts";
import type { CollectionSummary, DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { costText } from "./embedding-cost.ts";
import { counted } from "./ingest-text.ts";
import { previewChunking } from "./preview-chunking.ts";
import { SaveFailure } from "./save-failure.tsx";

interface ChunkingPreviewProps {
  collection: CollectionSummary;
  documents: readonly DocumentSummary[];
  chunking: Chunking;
}

/** What a chunking would do to the documents that are here, before anything is embedded. */
export function ChunkingPreview({ collection, documents, chunking }: ChunkingPreviewProps) {
  const { knowledge } = useServices();
  const [done, setDone] = useState(0);
  const running = useRef(new AbortController());
  const preview = useMutation({
    mutationFn: () => {
      const controller = new AbortController();
      running.current = controller;
      setDone(0);
      const embeds = collection.embedding !== null;
      return previewChunking(knowledge, documents, chunking, {
        embeds,
        signal: controller.signal,
        onProgress: setDone,
      });
    },
  });
  useEffect(() => () => running.current.abort(), []);
  const { data } = preview;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button icon="eye" busy={preview.isPending} onClick={() => preview.mutate()}>
          Preview
        </Button>
        <span role="status" className="text-xs text-muted numeric">
          {preview.isPending
            ? `${done} of ${counted(documents.length, "document")}`
            : "See the chunks before anything is changed or embedded."}
        </span>
      </div>
      <SaveFailure error={preview.error} />
      {data !== undefined && (
        <section aria-label="Preview" className="flex flex-col gap-2 rounded-lg border bg-surface px-4 py-3">
          <p className="numeric">
            {counted(data.chunks, "chunk")} of {data.smallest.toLocaleString("en")} to {formatTokens(data.largest)},
            instead of {collection.chunks.toLocaleString("en")}: {data.kept.toLocaleString("en")} stay,{" "}
            {data.added.toLocaleString("en")} are new, {data.removed.toLocaleString("en")} go.
            {data.sections !== null && ` An agent gets ${counted(data.sections, "section")} in their place.`}
          </p>
          <p className="text-xs text-muted">{costText(collection.embedding, data.tokens)}</p>
          <ol aria-label="First chunks" className="flex max-h-80 flex-col gap-2 overflow-y-auto">
            {data.examples.map(({ document, heading, content, tokens }, index) => (
              <li key={index} className="rounded-md border px-3 py-2">
                <p className="flex gap-3 text-xs text-muted numeric">
                  <span className="min-w-0 flex-1 wrap-anywhere">
                    {[document, heading].filter(Boolean).join(" › ")}
                  </span>
                  <span>{formatTokens(tokens)}</span>
                </p>
                <p className="line-clamp-4 wrap-anywhere whitespace-pre-wrap">{content}</p>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}
