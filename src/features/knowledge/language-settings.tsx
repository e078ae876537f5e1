import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { reindex } from "../../state/knowledge/reindex.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { chosenLanguage, languageOptions, unset } from "./language-choices.ts";
import { SettingsSection } from "./settings-section.tsx";

/** The language of a collection's documents, where it need not be guessed. */
export function LanguageSettings({ collection }: { collection: CollectionSummary }) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  const [language, setLanguage] = useState(collection.language);
  const save = useMutation({
    mutationFn: () => knowledge.update(collection.id, { language }),
    onSuccess: () => {
      reindex(knowledge).then(refresh, showError);
      showToast("Saved", collection.documents > 0 ? { hint: "The documents are being indexed again." } : {});
    },
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  return (
    <SettingsSection
      title="Language"
      lead="Keyword search also finds other forms of a word: refunds for refund."
      onSubmit={() => save.mutate()}
      actions={
        <Button type="submit" disabled={language === collection.language} busy={save.isPending}>
          Save language
        </Button>
      }
    >
      <Field label="Documents are in" help="A language set on a document comes first.">
        {(control) => (
          <Select
            {...control}
            value={language ?? unset}
            onValueChange={(value) => setLanguage(chosenLanguage(value))}
            options={languageOptions("Detect for each document")}
          />
        )}
      </Field>
    </SettingsSection>
  );
}
