import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { ingestOf } from "../../state/knowledge/ingest/ingest.ts";
import type { CollectionSummary, DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { draftOfChunking, isSameChunking, readChunking } from "./chunking-draft.ts";
import { ChunkingFields } from "./chunking-fields.tsx";
import { ChunkingPreview } from "./chunking-preview.tsx";
import { costText } from "./embedding-cost.ts";
import { counted } from "./ingest-text.ts";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { SettingsSection } from "./settings-section.tsx";

interface ChunkingSettingsProps {
  collection: CollectionSummary;
  /** All of them. */
  documents: readonly DocumentSummary[];
  /** What all of them have. */
  tokens: number;
}

/** How documents are cut, and cutting those again that are here. */
export function ChunkingSettings({ collection, documents: stored, tokens }: ChunkingSettingsProps) {
  const services = useServices();
  const refresh = useRefreshKnowledge();
  const [draft, setDraft] = useState(() => draftOfChunking(collection.chunking));
  const read = readChunking(draft, collection.embedding);
  const { documents, embedding } = collection;
  const changed = read.ok && !isSameChunking(read.chunking, collection.chunking);

  const apply = useMutation({
    mutationFn: async () => {
      if (!read.ok) return;
      if (changed) await services.knowledge.update(collection.id, { chunking: read.chunking });
      if (documents > 0) await ingestOf(services).rechunk(collection.id);
    },
    onSuccess: () =>
      showToast(documents > 0 ? "The documents are being split again" : "Saved", {
        hint: documents > 0 ? "See the Documents tab for progress. Chunks that stay the same are kept." : undefined,
      }),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => setDraft({ ...draft }));
    if (read.ok) apply.mutate();
    else focusFirstInvalid(form);
  }

  return (
    <SettingsSection
      title="Chunks"
      lead="How documents are split into the chunks that a search finds."
      onSubmit={submit}
      actions={
        <>
          <Button
            type="submit"
            icon={documents > 0 ? "scissors" : undefined}
            disabled={!changed && documents === 0}
            busy={apply.isPending}
          >
            {documents > 0 ? `Split ${counted(documents, "document")} again` : "Save chunks"}
          </Button>
          {documents > 0 && (
            <span className="text-xs text-muted">
              {embedding === null ? "Costs nothing." : `At most ${lowerFirst(costText(embedding, tokens))}`}
            </span>
          )}
        </>
      }
    >
      <ChunkingFields value={draft} problems={read.ok ? {} : read.problems} onChange={setDraft} />
      {read.ok && stored.length > 0 && (
        <ChunkingPreview
          key={JSON.stringify(read.chunking)}
          collection={collection}
          documents={stored}
          chunking={read.chunking}
        />
      )}
    </SettingsSection>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
