import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { SaveFailure } from "./save-failure.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** A few words about a collection, for the people who choose it. */
export function DescriptionSettings({ collection }: { collection: CollectionSummary }) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  const [description, setDescription] = useState(collection.description);
  const save = useMutation({
    mutationFn: () => knowledge.update(collection.id, { description: description.trim() }),
    onSettled: refresh,
  });
  const changed = description.trim() !== collection.description;
  return (
    <SettingsSection
      title="Description"
      lead="Shown in the list of collections."
      onSubmit={() => save.mutate()}
      actions={
        <Button type="submit" disabled={!changed} busy={save.isPending}>
          Save description
        </Button>
      }
    >
      <Textarea
        aria-label="Description"
        rows={2}
        maxLength={2_000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <SaveFailure error={save.error} />
    </SettingsSection>
  );
}
