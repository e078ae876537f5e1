import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { defaultChunking } from "../../engine/knowledge/source-document.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { ChunkingFields, draftOfChunking, readChunking } from "./chunking-fields.tsx";
import { EmbeddingFields } from "./embedding-fields.tsx";
import { embeddingCredentialsKey, embeddingProblem, firstEmbedding, workingCredentials } from "./embedding-choices.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { useListEmbeddings } from "./use-listed-embeddings.ts";
import { SaveFailure } from "./save-failure.tsx";

interface NewCollectionDialogProps {
  onClose: () => void;
  onMade: (collection: CollectionSummary) => void;
}

/** Makes a collection: a name, who embeds it, how it is cut. */
export function NewCollectionDialog({ onClose, onMade }: NewCollectionDialogProps) {
  const { knowledge, credentials } = useServices();
  const refresh = useRefreshKnowledge();
  const list = useListEmbeddings();
  const usual = useQuery({
    queryKey: [...embeddingCredentialsKey, "usual"],
    queryFn: async () => await firstEmbedding(await workingCredentials(credentials), list),
    staleTime: 60_000,
    retry: false,
  });
  const [name, setName] = useState("");
  /** Undefined until the person chooses; the usual choice is keyword only, or embeddings once a credential has shown to work. */
  const [chosen, setChosen] = useState<KnowledgeEmbedding | null | undefined>(undefined);
  const [chunking, setChunking] = useState(() => draftOfChunking(defaultChunking));
  const [tried, setTried] = useState(false);

  const embedding = chosen === undefined ? (usual.data ?? null) : chosen;
  const missing = embeddingProblem(embedding);
  const cut = readChunking(chunking, embedding);
  const isComplete = name.trim() !== "" && missing === undefined && cut.ok;

  const make = useDialogMutation({
    save: async () =>
      await knowledge.create({ name: name.trim(), embedding, ...(cut.ok ? { chunking: cut.chunking } : {}) }),
    refresh,
    showsError: true,
  });

  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true));
    if (isComplete) make.submit(undefined, { onDone: onMade });
    else focusFirstInvalid(form);
  }

  return (
    <FormDialog
      title="New collection"
      description="A set of documents that are searched together."
      submit="Create collection"
      busy={make.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="Name" required error={tried && name.trim() === "" ? "Enter a name for the collection." : undefined}>
        {(control) => (
          <Input
            {...control}
            value={name}
            maxLength={200}
            placeholder="Handbook"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <EmbeddingFields
        value={embedding}
        onChange={(change) => setChosen((before) => change(before === undefined ? (usual.data ?? null) : before))}
        error={tried ? missing : undefined}
      />
      <ChunkingFields value={chunking} problems={cut.ok ? {} : cut.problems} onChange={setChunking} />
      <SaveFailure error={make.error} />
    </FormDialog>
  );
}
