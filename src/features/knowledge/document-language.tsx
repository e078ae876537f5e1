import { useMutation } from "@tanstack/react-query";
import { searchLanguages } from "../../engine/knowledge/search-languages.ts";
import type { DocumentSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { reindex } from "../../state/knowledge/reindex.ts";
import { Select } from "../../ui/fields/select.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { chosenLanguage, languageOptions, unset } from "./language-choices.ts";

/** The language that keyword search reads a document in, and choosing another one. */
export function DocumentLanguage({ document }: { document: DocumentSummary }) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  const { id, language, languageChosen } = document;
  const change = useMutation({
    mutationFn: (value: string) => knowledge.setDocumentLanguage(id, chosenLanguage(value)),
    onSuccess: () => void reindex(knowledge).then(refresh, showError),
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  const automatic = language === null || languageChosen ? "Automatic" : `Automatic: ${searchLanguages[language]}`;
  return (
    <Select
      aria-label="Language"
      title="Language of the keyword search"
      className="w-auto max-w-56"
      disabled={change.isPending}
      value={(languageChosen && language) || unset}
      onValueChange={(value) => change.mutate(value)}
      options={languageOptions(automatic)}
    />
  );
}
