import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { MetadataFields, readPairs, typedPairs } from "./metadata-fields.tsx";
import { SaveFailure } from "./save-failure.tsx";

/** What a document is found by besides its text: one line that says so, and opens. */
export function DocumentMetadata({ document }: { document: DocumentSummary }) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  const stored = typedPairs(document.metadata);
  const [pairs, setPairs] = useState(stored);
  const read = readPairs(pairs);
  const changed = JSON.stringify(pairs) !== JSON.stringify(stored);
  const save = useMutation({
    mutationFn: async () => {
      if (read.ok) await knowledge.setMetadata(document.id, read.metadata);
    },
    onSettled: refresh,
  });
  const names = Object.entries(stored).map(([name, value]) => `${name}: ${value}`);
  return (
    <details className="rounded-lg border bg-surface px-4 py-2.5">
      <summary className="text-xs wrap-anywhere text-muted">
        Metadata {names.length > 0 && <span className="font-medium text-ink">{names.join(" · ")}</span>}
      </summary>
      <form
        className="mt-3 flex max-w-140 flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <MetadataFields value={pairs} onChange={setPairs} problem={changed && !read.ok ? read : undefined} />
        <SaveFailure error={save.error} />
        <Button type="submit" className="self-start" disabled={!changed || !read.ok} busy={save.isPending}>
          Save metadata
        </Button>
      </form>
    </details>
  );
}
