import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { JsonObject } from "../../engine/json.ts";
import type { DoorKind } from "../../engine/trust/run-sources.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { showError } from "../../ui/feedback/toast.tsx";

interface DoorSwitch {
  enabled: boolean;
  /** As it is stored, or with what the switch changes in it. */
  config: JsonObject;
}

/** Switches a door of the open workflow on and off. It counts as saved once the rows have been read again. */
export function useDoorSwitch(kind: DoorKind) {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: DoorSwitch) => doors.save(workflowId, kind, change),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["door", workflowId] }),
    onError: (error) => showError(error),
  });
}
