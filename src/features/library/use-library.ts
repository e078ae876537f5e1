import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { WorkflowSummary } from "../../stores/services.ts";
import { newId } from "../../stores/new-id.ts";
import { useServices } from "../../stores/services-context.tsx";
import { showError, showToast } from "../../ui/toast.tsx";
import { duplicateWorkflow, freeName, renameWorkflow } from "./workflow-actions.ts";

const listKey = ["workflows"];

/** The user's workflows and what can be done with them. Changes show at once and are taken back when they fail. */
export function useLibrary() {
  const { workflows } = useServices();
  const queries = useQueryClient();
  const list = useQuery({ queryKey: listKey, queryFn: () => workflows.list() });
  const names = () => (list.data ?? []).map((workflow) => workflow.name);

  /** Changes the shown list and gives back how to undo that. */
  async function show(change: (shown: WorkflowSummary[]) => WorkflowSummary[]): Promise<() => void> {
    await queries.cancelQueries({ queryKey: listKey });
    const before = queries.getQueryData<WorkflowSummary[]>(listKey);
    queries.setQueryData<WorkflowSummary[]>(listKey, (shown) => change(shown ?? []));
    return () => queries.setQueryData(listKey, before);
  }

  const refresh = () => queries.invalidateQueries({ queryKey: listKey });

  const create = useMutation({
    mutationFn: (document: WorkflowDocument) =>
      workflows.create({ ...document, name: freeName(document.name, names()) }),
    onSuccess: refresh,
    onError: (error) => showError(error),
  });

  const duplicate = useMutation({
    mutationFn: (id: string) => duplicateWorkflow(workflows, id, { newId: newId(), taken: names() }),
    onSuccess: refresh,
    onError: (error) => showError(error),
  });

  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) => renameWorkflow(workflows, id, name),
    onMutate: ({ id, name }) =>
      show((shown) => shown.map((workflow) => (workflow.id === id ? { ...workflow, name } : workflow))),
    onError: (error, _change, undo) => {
      undo?.();
      showError(error);
    },
    onSettled: refresh,
  });

  const restore = useMutation({
    mutationFn: (id: string) => workflows.restore(id),
    onSuccess: refresh,
    onError: (error) => showError(error),
  });

  const remove = useMutation({
    mutationFn: ({ id }: WorkflowSummary) => workflows.remove(id),
    onMutate: ({ id }) => show((shown) => shown.filter((workflow) => workflow.id !== id)),
    onSuccess: (_answer, { id, name }) =>
      showToast(`Deleted "${name}"`, {
        id: `deleted-${id}`,
        action: { label: "Undo", onClick: () => restore.mutate(id) },
      }),
    onError: (error, _workflow, undo) => {
      undo?.();
      showError(error);
    },
    onSettled: refresh,
  });

  return { list, create, duplicate, rename, remove };
}

export type Library = ReturnType<typeof useLibrary>;
