import { useEffect, useState } from "react";
import type { WorkflowSummary } from "../../stores/services.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { arrangeWorkflows, type WorkflowOrder, workflowOrders } from "./arrange-workflows.ts";
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
export function WorkflowList({
  workflows,
  library,
  onExport,
}: {
  workflows: readonly WorkflowSummary[];
  library: Library;
  onExport: (id: string) => void;
}) {
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<WorkflowOrder>("edited");
  const now = useNow();
  const shown = arrangeWorkflows(workflows, search, order);

  return (
    <section aria-label="Your workflows" className="flex flex-col gap-3">
      <div className="flex gap-2">
        <div className="relative flex-1 sm:max-w-80">
          <span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-faint">
            <Icon name="search" />
          </span>
          <Input
            type="search"
            aria-label="Search workflows"
            placeholder="Search workflows"
            className="pl-8"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <Select
          aria-label="Order"
          className="ml-auto w-36!"
          value={order}
          onValueChange={(value) => setOrder(workflowOrders.find((known) => known === value) ?? "edited")}
          options={workflowOrders.map((value) => ({ value, label: orderNames[value] }))}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title={`No workflow is called “${search}”`}
          action={<Button onClick={() => setSearch("")}>Show all</Button>}
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
    </section>
  );
}
