import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { changeDoor, type DoorChange } from "./change-door.ts";

/** Switches parts of a door of the open workflow on and off, one after another. It counts as saved once the rows have been read again. */
export function useDoorSwitch(kind: DoorKind) {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `door:${workflowId}:${kind}` },
    mutationFn: (change: DoorChange) => changeDoor(doors, workflowId, kind, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["door", workflowId] }),
    onError: (error) => showError(error),
  });
}
