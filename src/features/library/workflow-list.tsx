import { useEffect, useState } from "react";
import { type WorkflowOrder, workflowOrders } from "../../stores/services.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import type { Library } from "./use-library.ts";
import { WorkflowRow } from "./workflow-row.tsx";

const orderNames: Record<WorkflowOrder, string> = { edited: "Last edited", name: "Name", created: "Newest" };

/** A picture costs a request, once per revision; further down the list a plain icon does. */
const picturedRows = 24;

/** The time, moving on every half minute, so that "3 minutes ago" stays true. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Search, order and the rows. */
export function WorkflowList({ library, onExport }: { library: Library; onExport: (id: string) => void }) {
  const { list, search } = library;
  const now = useNow();
  const shown = list.rows ?? [];

  return (
    <section aria-label="Your workflows" className="flex flex-col gap-3">
      <div className="flex gap-2">
        <SearchField what="workflows" value={search.text} onChange={search.setText} className="flex-1 sm:max-w-80" />
        <Select
          aria-label="Order"
          className="ml-auto w-36!"
          value={search.order}
          onValueChange={(value) => search.setOrder(workflowOrders.find((known) => known === value) ?? "edited")}
          options={workflowOrders.map((value) => ({ value, label: orderNames[value] }))}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={`No workflow is called “${search.settled}”`}
          action={<Button onClick={() => search.setText("")}>Show all</Button>}
        />
      ) : (
        <ul className="overflow-hidden rounded-lg border bg-surface">
          {shown.map((workflow, index) => (
            <WorkflowRow
              key={workflow.id}
              workflow={workflow}
              now={now}
              pictured={index < picturedRows}
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
    </section>
  );
}
