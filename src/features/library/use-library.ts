import { type InfiniteData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { CountedPage, ListedWorkflow, WorkflowOrder } from "../../services/services.ts";
import { matchesKeys } from "../../state/commands/keymap.ts";
import { newId } from "../../state/shared/new-id.ts";
import { stopRuns } from "../../state/run/run-sessions.ts";
import { useServices } from "../../services/services-context.tsx";
import { usePages, useSettled } from "../../state/shared/use-pages.ts";
import { hideToast } from "../../ui/feedback/toast-store.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { duplicateWorkflow, freeName, renameWorkflow } from "./workflow-actions.ts";

const listKey = ["workflows"];
const pagesKey = [...listKey, "pages"];

type Pages = InfiniteData<CountedPage<ListedWorkflow>>;

/** Whether the key is Ctrl+Z or ⌘Z, and no field, dialog or menu has it. */
function isUndo(event: KeyboardEvent): boolean {
  const { target } = event;
  const typing =
    target instanceof Element && target.closest("input, textarea, select, [contenteditable=true]") !== null;
  if (event.defaultPrevented || typing || document.querySelector("dialog[open], [role=dialog], [role=menu]"))
    return false;
  return matchesKeys(event, "mod+z");
}

/** The user's workflows and what can be done with them. Changes show at once and are taken back when they fail. */
export function useLibrary() {
  const { workflows, publications } = useServices();
  const queries = useQueryClient();
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<WorkflowOrder>("edited");
  const [tag, setTag] = useState<string | null>(null);
  const settled = useSettled(search);
  const tags = useQuery({ queryKey: [...listKey, "tags"], queryFn: () => workflows.tags() });
  const list = usePages(
    [...pagesKey, order, settled, tag],
    (request) =>
      workflows.page({ ...request, order, search: settled, own: true, ...(tag === null ? {} : { tags: [tag] }) }),
    // As many as a tall screen shows and a scroll more; each card takes its time to be drawn.
    { size: 48 },
  );
  const ids = list.rows?.map(({ id }) => id) ?? [];
  const live = useQuery({
    queryKey: [...listKey, "live", ids],
    queryFn: () => publications.liveWays(ids),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
    // Cards do without it.
    retry: false,
  });
  /** The names that begin alike, which are those that a new name can meet. */
  const namesLike = async (name: string) => (await workflows.list(name)).map((workflow) => workflow.name);

  /** Changes the shown lists and gives back how to undo that. */
  async function show(change: (shown: CountedPage<ListedWorkflow>) => CountedPage<ListedWorkflow>) {
    await queries.cancelQueries({ queryKey: pagesKey });
    const before = queries.getQueriesData<Pages>({ queryKey: pagesKey });
    queries.setQueriesData<Pages>(
      { queryKey: pagesKey },
      (shown) => shown && { ...shown, pages: shown.pages.map(change) },
    );
    return () => {
      for (const [key, pages] of before) queries.setQueryData(key, pages);
    };
  }

  const isLast = () => queries.isMutating({ mutationKey: listKey }) <= 1;
  /** Reads the lists anew once no change is under way any more: an answer before that lacks what is shown already. */
  const refresh = async () => {
    if (isLast()) await queries.invalidateQueries({ queryKey: listKey });
  };
  /** One after the other, so that each finds what the one before it has changed. */
  const change = { mutationKey: listKey, scope: { id: "library" } };
  const takeBack = (undo: (() => void) | undefined) => {
    // What was before this change may lack a later one; the list is read anew after that.
    if (isLast()) undo?.();
  };

  /** How a new one is stored. */
  const creation = {
    mutationKey: listKey,
    save: async (document: WorkflowDocument) =>
      workflows.create({ ...document, name: freeName(document.name, await namesLike(document.name)) }),
    refresh,
  };

  const duplicate = useMutation({
    ...change,
    mutationFn: (id: string) => duplicateWorkflow(workflows, id, { newId: newId(), namesLike }),
    onSuccess: refresh,
    onError: (error) => showError(error),
  });

  const rename = useMutation({
    ...change,
    mutationFn: ({ id, name }: { id: string; name: string }) => renameWorkflow(workflows, id, name),
    onMutate: ({ id, name }) =>
      show((page) => ({ ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, name } : row)) })),
    onError: (error, _change, undo) => {
      takeBack(undo);
      showError(error);
    },
    onSettled: refresh,
  });

  const setTags = useMutation({
    ...change,
    mutationFn: (change: { id: string; tags: string[] }) => workflows.setTags(change.id, change.tags),
    onMutate: (change) =>
      show((page) => ({
        ...page,
        rows: page.rows.map((row) => (row.id === change.id ? { ...row, tags: change.tags } : row)),
      })),
    onError: (error, _change, undo) => {
      takeBack(undo);
      showError(error);
    },
    onSettled: refresh,
  });

  const restore = useMutation({
    ...change,
    mutationFn: (id: string) => workflows.restore(id),
    onSuccess: refresh,
    onError: (error) => showError(error),
  });

  /** What was deleted on this page and not brought back, the latest last. */
  const deleted = useRef<string[]>([]);
  const bringBack = (id: string) => {
    deleted.current = deleted.current.filter((other) => other !== id);
    hideToast(`deleted-${id}`);
    restore.mutate(id);
  };
  const undo = useEffectEvent((event: KeyboardEvent) => {
    const last = deleted.current.at(-1);
    if (last === undefined || !isUndo(event)) return;
    event.preventDefault();
    bringBack(last);
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => undo(event);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  const remove = useMutation({
    ...change,
    mutationFn: ({ id }: ListedWorkflow) => {
      stopRuns(`/w/${id}`);
      return workflows.remove(id);
    },
    onMutate: ({ id }) =>
      show((page) => ({ ...page, rows: page.rows.filter((row) => row.id !== id), total: page.total - 1 })),
    onSuccess: (_answer, { id, name }) => {
      deleted.current.push(id);
      showToast(`Moved "${name}" to the trash`, {
        id: `deleted-${id}`,
        action: { label: "Undo", onClick: () => bringBack(id) },
      });
    },
    onError: (error, _workflow, undo) => {
      takeBack(undo);
      showError(error);
    },
    onSettled: refresh,
  });

  return {
    list,
    tags: tags.data ?? [],
    /** How the workflows that are live are reached, by their ids. */
    live: live.data ?? {},
    search: { text: search, settled, order, tag, setText: setSearch, setOrder, setTag },
    creation,
    duplicate,
    rename,
    setTags,
    remove,
  };
}

export type Library = ReturnType<typeof useLibrary>;
