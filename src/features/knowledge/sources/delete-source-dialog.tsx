import { useState } from "react";
import { useServices } from "../../../services/services-context.tsx";
import type { SourceSummary } from "../../../services/web-sources.ts";
import { Field } from "../../../ui/fields/field.tsx";
import { Select } from "../../../ui/fields/select.tsx";
import { showToast } from "../../../ui/feedback/toast.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { FormDialog } from "../form-dialog.tsx";
import { counted } from "../ingest-text.ts";
import { useRefreshKnowledge } from "../knowledge-queries.ts";
import { SaveFailure } from "../save-failure.tsx";

/** Deletes a source, and asks what becomes of its documents. */
export function DeleteSourceDialog({ source, onClose }: { source: SourceSummary; onClose: () => void }) {
  const { webSources } = useServices();
  const refresh = useRefreshKnowledge();
  const [fate, setFate] = useState("keep");
  const remove = useDialogMutation({
    save: () => webSources.remove(source.id, { withDocuments: fate === "delete" }),
    refresh,
    showsError: true,
  });
  function done(removed: number) {
    showToast("Source deleted", removed > 0 ? { hint: `${counted(removed, "document")} deleted with it.` } : {});
    onClose();
  }
  return (
    <FormDialog
      title="Delete this source?"
      description={source.url}
      submit="Delete source"
      busy={remove.isPending}
      onClose={onClose}
      onSubmit={() => remove.submit(undefined, { onDone: done })}
    >
      {source.documents > 0 && (
        <Field
          label={`Its ${counted(source.documents, "document")}`}
          help="Documents of other sources stay in any case."
        >
          {(control) => (
            <Select
              {...control}
              value={fate}
              onValueChange={setFate}
              options={[
                { value: "keep", label: "Keep them as they are" },
                { value: "delete", label: "Delete them too" },
              ]}
            />
          )}
        </Field>
      )}
      <SaveFailure error={remove.error} />
    </FormDialog>
  );
}
