import { Link } from "wouter";
import type { SlotProps } from "../../forms/control-props.ts";
import { singleSelectedNode } from "../../state/editor/canvas-store.ts";
import { useCollectionChoices } from "../../state/knowledge/collection-choices.ts";
import { setConfigFields } from "../../state/commands/set-config.ts";
import { useCanvasStore, useEditor } from "../../state/editor/editor-context.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** Chooses one of the account's collections; the node keeps its id, and its name for the card. */
export function CollectionSlot({ field, value, control }: SlotProps) {
  const { context } = useEditor();
  const nodeId = useCanvasStore(singleSelectedNode) ?? "";
  const id = typeof value === "string" ? value : "";
  const { rows, chosen, missing, searched, isPending, isError, isSuccess, refetch } = useCollectionChoices(id);
  const options = [
    ...(missing ? [{ value: id, label: "A collection this account does not have" }] : []),
    ...rows.map((collection) => ({
      value: collection.id,
      label: `${collection.name} · ${collection.documents} ${collection.documents === 1 ? "document" : "documents"}`,
    })),
  ];
  const none = searched.long ? "No collection has this name" : "There is no collection yet";
  const empty = isPending ? "Loading…" : options.length === 0 ? none : "Choose a collection";

  function choose(next: string) {
    const name = rows.find((collection) => collection.id === next)?.name ?? "";
    setConfigFields(context, nodeId, field.label, { [field.name]: next, [`${field.name}Name`]: name });
  }

  return (
    <div className="flex flex-col gap-1.5">
      <SearchedSelect
        {...control}
        {...searched}
        what="collections"
        value={id}
        onValueChange={choose}
        placeholder={empty}
        options={options}
      />
      {chosen !== undefined && (
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          <span>{chosen.embedding === null ? "No embeddings: searched by keyword" : chosen.embedding.model}</span>
          <Link href={`/knowledge/${chosen.id}`} className="text-accent hover:underline">
            Open this collection
          </Link>
        </p>
      )}
      {isSuccess && chosen === undefined && (id === "" || missing) && (
        <Link href="/knowledge" className="self-start text-xs text-accent hover:underline">
          Create a collection
        </Link>
      )}
      {isError && <SlotFailure what="collections" onRetry={() => void refetch()} />}
    </div>
  );
}
