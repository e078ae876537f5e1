import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { SlotProps } from "../../forms/control-props.ts";
import { useEditor } from "../../stores/editor-context.tsx";
import { useServices } from "../../stores/services-context.tsx";
import { Select } from "../../ui/select.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** Chooses one of the account's saved workflows; the node keeps its id. */
export function WorkflowSlot({ value, onChange, control }: SlotProps) {
  const { workflows } = useServices();
  const { workflowId } = useEditor();
  const { data, isPending, isError, refetch } = useQuery({ queryKey: ["workflows"], queryFn: () => workflows.list() });
  const id = typeof value === "string" ? value : "";
  const others = (data ?? []).filter((workflow) => workflow.id !== workflowId);
  const missing = data !== undefined && id !== "" && !others.some((workflow) => workflow.id === id);
  const lost = id === workflowId ? "This workflow itself" : "A workflow that this account does not have";
  const options = [
    ...(missing ? [{ value: id, label: lost }] : []),
    ...others.map((workflow) => ({ value: workflow.id, label: workflow.name })),
  ];
  const empty = isPending ? "Loading…" : others.length === 0 ? "There is no other workflow yet" : "Choose a workflow";
  return (
    <div className="flex flex-col gap-1.5">
      <Select {...control} value={id} onValueChange={onChange} placeholder={empty} options={options} />
      {id !== "" && !missing && (
        <Link href={`/w/${id}`} className="self-start text-xs text-accent hover:underline">
          Open this workflow
        </Link>
      )}
      {isError && <SlotFailure what="workflows" onRetry={() => void refetch()} />}
    </div>
  );
}
