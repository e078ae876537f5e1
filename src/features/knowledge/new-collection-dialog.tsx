import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import type { KnowledgeEmbedding } from "../../engine/knowledge/knowledge.ts";
import { defaultChunking } from "../../engine/knowledge/chunking.ts";
import type { CollectionSummary } from "../../services/knowledge.ts";
import { useServices } from "../../services/services-context.tsx";
import { useDialogMutation } from "../../ui/overlays/use-dialog-mutation.ts";
import { Field } from "../../ui/fields/field.tsx";
import { focusFirstInvalid } from "../../ui/fields/focus-first-invalid.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { draftOfChunking, readChunking } from "./chunking-draft.ts";
import { ChunkingFields } from "./chunking-fields.tsx";
import { EmbeddingFields } from "./embedding-fields.tsx";
import { embeddingCredentialsKey, embeddingProblem, firstEmbedding, workingCredentials } from "./embedding-choices.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";
import { useListEmbeddings } from "./use-listed-embeddings.ts";
import { SaveFailure } from "./save-failure.tsx";
import { checkTyped } from "./table/check-typed.ts";
import { TableFields } from "./table/table-fields.tsx";
import { newTable, readTyped, type TypedTable } from "./table/typed-table.ts";

interface NewCollectionDialogProps {
  onClose: () => void;
  onMade: (collection: CollectionSummary) => void;
}

/** What passages of a collection are. */
const kinds = [
  { value: "documents", label: "Documents" },
  { value: "table", label: "Rows of a Postgres table" },
];

/** Makes a collection: of documents, by who embeds them and how they are cut, or of the rows of a table. */
export function NewCollectionDialog({ onClose, onMade }: NewCollectionDialogProps) {
  const services = useServices();
  const { knowledge, credentials } = services;
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
  const [table, setTable] = useState<TypedTable | null>(null);
  const [tried, setTried] = useState(false);

  const embedding = chosen === undefined ? (usual.data ?? null) : chosen;
  const missing = embeddingProblem(embedding);
  const cut = readChunking(chunking, embedding);
  const read = table && readTyped(table, embedding);
  const isComplete = name.trim() !== "" && (read ? read.ok : missing === undefined && cut.ok);

  const make = useDialogMutation({
    save: async () => {
      if (!read?.ok) {
        return await knowledge.create({ name: name.trim(), embedding, ...(cut.ok ? { chunking: cut.chunking } : {}) });
      }
      const checked = await checkTyped(services, read.draft, read.embedding);
      return await knowledge.create({ name: name.trim(), embedding: read.embedding, table: checked });
    },
    refresh,
    showsError: true,
  });

  const changeEmbedding = (change: (before: KnowledgeEmbedding | null) => KnowledgeEmbedding | null) =>
    setChosen((before) => change(before === undefined ? (usual.data ?? null) : before));

  function submit(form: HTMLFormElement) {
    flushSync(() => setTried(true));
    if (isComplete) make.submit(undefined, { onDone: onMade });
    else focusFirstInvalid(form);
  }

  return (
    <FormDialog
      title="New collection"
      description={
        table === null
          ? "A set of documents that are searched together."
          : "A table of your own database that is searched where it is. It is only read."
      }
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
      <Field label="Passages">
        {(control) => (
          <Select
            {...control}
            value={table === null ? "documents" : "table"}
            onValueChange={(kind) => setTable(kind === "table" ? newTable : null)}
            options={kinds}
          />
        )}
      </Field>
      {table === null ? (
        <>
          <EmbeddingFields value={embedding} onChange={changeEmbedding} error={tried ? missing : undefined} />
          <ChunkingFields value={chunking} problems={cut.ok ? {} : cut.problems} onChange={setChunking} />
        </>
      ) : (
        <TableFields
          value={table}
          embedding={embedding}
          problems={tried && read?.ok === false ? read.problems : {}}
          onChange={(change) => setTable((before) => before && { ...before, ...change })}
          onEmbedding={changeEmbedding}
        />
      )}
      <SaveFailure error={make.error} />
    </FormDialog>
  );
}
