import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { ingestOf } from "../../state/knowledge/ingest/ingest.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { costText } from "./embedding-cost.ts";
import { EmbeddingFields } from "./embedding-fields.tsx";
import { embeddingChange, embeddingProblem, modelProblem } from "./embedding-choices.ts";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { SettingsSection } from "./settings-section.tsx";

const buttonWords: Record<ReturnType<typeof embeddingChange>, string> = {
  none: "Save",
  credential: "Use this credential",
  vectors: "Embed all documents",
  removal: "Remove the embeddings",
};

/** Who embeds a collection. Another model embeds all its documents anew; the cost stands beside the button. */
export function EmbeddingSettings({ collection, tokens }: { collection: CollectionSummary; tokens: number }) {
  const services = useServices();
  const refresh = useRefreshKnowledge();
  const [draft, setDraft] = useState(collection.embedding);
  const [tried, setTried] = useState(false);
  const change = embeddingChange(collection.embedding, draft);
  const problem = embeddingProblem(draft);
  const tooLong = change === "vectors" ? modelProblem(draft, collection.chunking) : undefined;

  const apply = useMutation({
    mutationFn: async () => {
      await services.knowledge.setEmbedding(collection.id, draft);
      if (change !== "credential" && collection.documents > 0) await ingestOf(services).rechunk(collection.id);
    },
    onSuccess: () =>
      showToast(
        change === "vectors" && collection.documents > 0 ? "The documents are being embedded" : "Saved",
        change === "vectors" && collection.documents > 0 ? { hint: "See the Documents tab for progress." } : {},
      ),
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true));
    if (problem === undefined && tooLong === undefined) apply.mutate();
    else focusFirstInvalid(form);
  }

  return (
    <SettingsSection
      title="Embeddings"
      lead="Embeddings let a search find the same meaning in other words."
      onSubmit={submit}
      actions={
        <>
          <Button type="submit" disabled={change === "none"} busy={apply.isPending}>
            {collection.documents === 0 ? "Save embeddings" : buttonWords[change]}
          </Button>
          {change === "vectors" && collection.documents > 0 && (
            <span className="text-xs text-muted">{costText(draft, tokens)}</span>
          )}
          {change === "removal" && <span className="text-xs text-muted">Searches use keywords from then on.</span>}
        </>
      }
    >
      <EmbeddingFields
        label="Made by"
        value={draft}
        onChange={setDraft}
        error={tried ? problem : undefined}
        modelError={tooLong}
      />
      {collection.dimension !== null && change === "none" && (
        <p className="text-xs text-muted numeric">{collection.dimension} numbers per vector</p>
      )}
    </SettingsSection>
  );
}
