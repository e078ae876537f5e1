import { useQuery, useQueryClient } from "@tanstack/react-query";
import { chatDoorConfig, type ChatDoorConfig } from "../../../doors/chat-door.ts";
import { useEditor, useServices } from "../../../state/editor/editor-context.tsx";
import { useDialogMutation } from "../../../ui/overlays/use-dialog-mutation.ts";
import { showToast } from "../../../ui/feedback/toast.tsx";

/** The chat page of a publication as it is stored. */
export interface ChatDoor {
  enabled: boolean;
  config: ChatDoorConfig;
  /** Names of the secrets that are stored. */
  secrets: readonly string[];
}

export interface ChatDoorChange {
  enabled: boolean;
  config: ChatDoorConfig;
  secrets?: Record<string, string | null>;
}

/** The chat page of the open workflow, and what changes it. `saved` is what is said then. */
export function useChatDoor(saved = "Chat page saved") {
  const { workflowId } = useEditor();
  const { doors } = useServices();
  const queries = useQueryClient();
  const queryKey = ["door", workflowId, "chat"];

  const door = useQuery({
    queryKey,
    queryFn: async (): Promise<ChatDoor> => {
      const stored = await doors.find(workflowId, "chat");
      const config = chatDoorConfig.safeParse(stored?.config ?? {});
      return {
        enabled: stored?.enabled === true && config.success,
        config: config.success ? config.data : chatDoorConfig.parse({}),
        secrets: stored?.secrets ?? [],
      };
    },
  });
  const save = useDialogMutation({
    save: (change: ChatDoorChange) => doors.save(workflowId, "chat", change),
    onSaved: () => showToast(saved),
    refresh: () => queries.invalidateQueries({ queryKey: ["door", workflowId] }),
  });
  return { door, save };
}
