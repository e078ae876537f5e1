import { useState } from "react";
import { knowledgeModes } from "../../engine/knowledge/knowledge.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { modeHelp, modeOptions } from "./mode-choices.ts";
import { SettingsSection } from "./settings-section.tsx";
import { useSearchMode } from "./use-search-mode.ts";

/** How steps and tools search a collection with embeddings that follow it. */
export function SearchModeSettings({ collection }: { collection: CollectionSummary }) {
  const [mode, setMode] = useState(collection.searchMode);
  const save = useSearchMode(collection.id);
  return (
    <SettingsSection
      title="Search"
      lead="Steps and tools whose mode is “As the collection says” search this way."
      onSubmit={() => save.mutate(mode)}
      actions={
        <Button type="submit" disabled={mode === collection.searchMode} busy={save.isPending}>
          Save search mode
        </Button>
      }
    >
      <Field label="Search mode" help={`${modeHelp[mode ?? "hybrid"]} The Quality tab measures which mode works best.`}>
        {(control) => (
          <Select
            {...control}
            value={mode ?? "usual"}
            onValueChange={(next) => setMode(knowledgeModes.find((each) => each === next) ?? null)}
            options={[{ value: "usual", label: "Default: hybrid" }, ...modeOptions]}
          />
        )}
      </Field>
    </SettingsSection>
  );
}
