import { Link } from "wouter";
import type { SlotProps } from "../../forms/control-props.ts";
import { useWorkflowChoices } from "../../state/shared/choices.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { SearchedSelect } from "../../ui/fields/searched-select.tsx";
import { SlotFailure } from "./slot-failure.tsx";

/** Chooses one of the account's saved workflows; the node keeps its id. */
export function WorkflowSlot({ value, onChange, control }: SlotProps) {
  const { workflowId } = useEditor();
  const id = typeof value === "string" ? value : "";
  const { rows, searched, ...choices } = useWorkflowChoices(id);
  const others = rows.filter((workflow) => workflow.id !== workflowId);
  const self = id === workflowId;
  const missing = choices.missing || self;
  const lost = self ? "This workflow itself" : "A workflow this account does not have";
  const options = [
    ...(missing ? [{ value: id, label: lost }] : []),
    ...others.map((workflow) => ({ value: workflow.id, label: workflow.name })),
  ];
  const empty = choices.isPending
    ? "Loading…"
    : others.length === 0
      ? searched.long
        ? "No workflow has this name"
        : "There is no other workflow yet"
      : "Choose a workflow";
  return (
    <div className="flex flex-col gap-1.5">
      <SearchedSelect
        {...control}
        {...searched}
        first={others[0]?.id}
        what="workflows"
        value={id}
        onValueChange={onChange}
        placeholder={empty}
        options={options}
      />
      {id !== "" && !missing && (
        <Link href={`/w/${id}`} className="self-start text-xs text-accent hover:underline">
          Open this workflow
        </Link>
      )}
      {choices.isError && <SlotFailure what="workflows" onRetry={() => void choices.refetch()} />}
    </div>
  );
}
