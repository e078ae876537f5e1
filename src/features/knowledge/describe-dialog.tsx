import { useState } from "react";
import { useServices } from "../../services/services-context.tsx";
import { showToast } from "../../ui/feedback/toast.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { FormDialog } from "./form-dialog.tsx";
import { counted } from "./ingest-text.ts";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { MetadataFields, readPairs, type TypedPairs } from "./metadata-fields.tsx";
import { SaveFailure } from "./save-failure.tsx";

interface DescribeDialogProps {
  collectionId: string;
  /** Words that the names of the documents have; empty for all documents. */
  search: string;
  /** How many there are. */
  count: number;
  onClose: () => void;
}

/** Adds metadata to many documents at once. */
export function DescribeDialog({ collectionId, search, count, onClose }: DescribeDialogProps) {
  const { knowledge } = useServices();
  const refresh = useRefreshKnowledge();
  const [pairs, setPairs] = useState<TypedPairs>({});
  const [tried, setTried] = useState(false);
  const read = readPairs(pairs);
  const isEmpty = read.ok && Object.keys(read.metadata).length === 0;
  const nothing = { message: "Enter a name and a value.", hint: "" };
  const problem = isEmpty ? nothing : read.ok ? undefined : read;
  const save = useDialogMutation({
    save: async () => (read.ok ? await knowledge.describeDocuments(collectionId, search, read.metadata) : 0),
    refresh,
    showsError: true,
  });
  return (
    <FormDialog
      title="Set metadata"
      description={`Adds them to ${counted(count, "document")}${search === "" ? "" : ` called “${search}”`}. Others that a document has stay.`}
      submit={`Set for ${counted(count, "document")}`}
      busy={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        if (problem !== undefined) return;
        save.submit(undefined, {
          onDone: (described) => {
            showToast(`Set for ${counted(described, "document")}`);
            onClose();
          },
        });
      }}
    >
      <MetadataFields value={pairs} onChange={setPairs} problem={tried ? problem : undefined} />
      <SaveFailure error={save.error} />
    </FormDialog>
  );
}
