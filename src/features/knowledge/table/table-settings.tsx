import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { PostgresTable } from "../../../engine/knowledge/postgres-table.ts";
import type { CollectionSummary } from "../../../services/knowledge.ts";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { focusFirstInvalid } from "../../../ui/fields/focus-first-invalid.ts";
import { showToast } from "../../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { SaveFailure } from "../save-failure.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { checkTyped } from "./check-typed.ts";
import { TableFields } from "./table-fields.tsx";
import { readTyped, typedTable } from "./typed-table.ts";

/** Which table stands for a collection. It is looked at before it is kept. */
export function TableSettings({ collection }: { collection: CollectionSummary & { table: PostgresTable } }) {
  const services = useServices();
  const refresh = useRefreshKnowledge();
  const [typed, setTyped] = useState(() => typedTable(collection.table));
  const [embedding, setEmbedding] = useState(collection.embedding);
  const [tried, setTried] = useState(false);
  const read = readTyped(typed, embedding);

  const save = useMutation({
    mutationFn: async () => {
      if (!read.ok) return;
      const table = await checkTyped(services, read.draft, read.embedding);
      await services.knowledge.update(collection.id, { table });
      await services.knowledge.setEmbedding(collection.id, read.embedding);
    },
    onSuccess: () => showToast("Saved"),
    onSettled: refresh,
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true));
    if (read.ok) save.mutate();
    else focusFirstInvalid(form);
  }

  const { dimension } = collection.table;
  return (
    <SettingsSection
      title="Table"
      lead="Its rows are the passages of this collection. They are read for each search and never changed."
      onSubmit={submit}
      actions={
        <>
          <Button type="submit" busy={save.isPending}>
            Check and save
          </Button>
          {dimension !== null && <span className="text-xs text-muted numeric">{dimension} numbers per vector</span>}
        </>
      }
    >
      <TableFields
        value={typed}
        embedding={embedding}
        problems={tried && !read.ok ? read.problems : {}}
        onChange={(change) => setTyped((before) => ({ ...before, ...change }))}
        onEmbedding={setEmbedding}
      />
      <SaveFailure error={save.error} />
    </SettingsSection>
  );
}
