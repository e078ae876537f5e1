import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { showError } from "../../../ui/feedback/toast.tsx";
import { nextLook } from "./next-look.ts";

const keyOf = (workflowId: string) => ["schedules", workflowId];

/** The schedules of the live version. */
export function useSchedules() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  return useQuery({
    queryKey: keyOf(workflowId),
    queryFn: () => publications.schedules(workflowId),
    refetchInterval: ({ state }) => nextLook(state.data ?? [], Date.now()),
  });
}

/** Switches schedules on and off. */
export function useScheduleSwitch() {
  const { workflowId } = useEditor();
  const { publications } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ ids, enabled }: { ids: readonly string[]; enabled: boolean }) =>
      Promise.all(ids.map((id) => publications.switchSchedule(id, enabled))),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(workflowId) }),
    onError: (error: unknown) => showError(error),
  });
}
