import { type RefObject, useEffect, useRef, useState } from "react";
import { type ListedWorkflow, type WorkflowOrder, workflowOrders } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { returnFocus } from "../../ui/overlays/return-focus.ts";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import type { Library } from "./use-library.ts";
import { TagsDialog } from "./tags-dialog.tsx";
import { WorkflowCard } from "./workflow-card.tsx";

const orderNames: Record<WorkflowOrder, string> = { edited: "Last edited", name: "Name", created: "Newest" };

/** A picture is read once per revision; further down the list a plain icon does. */
const picturedCards = 24;

/** Keeps the keyboard in the list when a card that had it goes: for the part around it, and how many cards there are. */
function useFocusAfterRemoval(count: number): RefObject<HTMLElement | null> {
  const list = useRef<HTMLElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) returnFocus(list.current);
    before.current = count;
  }, [count]);
  return list;
}

/** Search, tags, order and the cards. */
export function WorkflowList({
  library,
  now,
  onExport,
  onTrash,
}: {
  library: Library;
  now: number;
  onExport: (id: string) => void;
  onTrash: () => void;
}) {
  const { list, search, tags } = library;
  const [tagging, setTagging] = useState<ListedWorkflow | null>(null);
  const isFiltered = search.tag !== null && search.settled === "";
  const shown = list.rows ?? [];
  const section = useFocusAfterRemoval(shown.length);

  return (
    <section ref={section} tabIndex={-1} aria-label="Your workflows" className="flex flex-col gap-3 outline-none">
      <div className="flex flex-wrap gap-2">
        <SearchField
          what="workflows"
          value={search.text}
          onChange={search.setText}
          className="min-w-36 flex-1 sm:max-w-80"
        />
        {tags.length > 0 && (
          <Select
            aria-label="Tag"
            className="w-40!"
            value={search.tag ?? ""}
            onValueChange={(value) => search.setTag(value === "" ? null : value)}
            options={[
              { value: "", label: "All tags" },
              ...tags.map(({ tag, workflows }) => ({ value: tag, label: `${tag} (${workflows})` })),
            ]}
          />
        )}
        <Button className="ml-auto" icon="trash-2" onClick={onTrash}>
          <span className="max-sm:sr-only">Trash</span>
        </Button>
        <Select
          aria-label="Order"
          className="w-32! sm:w-36!"
          value={search.order}
          onValueChange={(value) => search.setOrder(workflowOrders.find((known) => known === value) ?? "edited")}
          options={workflowOrders.map((value) => ({ value, label: orderNames[value] }))}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={isFiltered ? `No workflow has the tag “${search.tag}”` : `No workflow is called “${search.settled}”`}
          action={
            <Button
              onClick={() => {
                search.setText("");
                search.setTag(null);
              }}
            >
              Show all
            </Button>
          }
        />
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-3">
          {shown.map((workflow, index) => (
            <WorkflowCard
              key={workflow.id}
              workflow={workflow}
              now={now}
              live={library.live[workflow.id]}
              pictured={index < picturedCards}
              onTags={() => setTagging(workflow)}
              onRename={(name) => library.rename.mutate({ id: workflow.id, name })}
              onDuplicate={() => library.duplicate.mutate(workflow.id)}
              onExport={() => onExport(workflow.id)}
              onRemove={() => library.remove.mutate(workflow)}
            />
          ))}
        </ul>
      )}
      <LoadMore
        shown={shown.length}
        total={list.first?.total ?? 0}
        what="workflows"
        busy={list.isFetchingNextPage}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
      {tagging !== null && (
        <TagsDialog
          workflow={tagging}
          known={tags.map(({ tag }) => tag)}
          onClose={() => setTagging(null)}
          onSave={(chosen) => library.setTags.mutate({ id: tagging.id, tags: chosen })}
        />
      )}
    </section>
  );
}
