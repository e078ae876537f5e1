import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keepChatName, readChatNames } from "../../state/conversation/chat-names.ts";
import { useConversationTitles } from "../../state/conversation/conversation-titles.ts";
import { useDocumentStore, useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { SessionAddress } from "../../services/services.ts";
import { usePages } from "../../state/shared/use-pages.ts";
import { showError, showToast } from "../../ui/feedback/toast.tsx";

/** The remembered conversations of the open workflow, their names, and what can be done with them. */
export function useChatSessions({ enabled, search, current }: { enabled: boolean; search: string; current: string }) {
  const { workflowId } = useEditor();
  const { memory } = useServices();
  const queries = useQueryClient();
  const encrypt = useDocumentStore(({ document }) => document.privacy?.encryptConversations === true);
  const [removing, setRemoving] = useState<readonly string[]>([]);
  const [names, setNames] = useState(() => readChatNames(workflowId));
  const sessions = usePages(
    ["chat-sessions", workflowId, search],
    (request) => memory.conversations({ storage: "postgres" }, workflowId, { ...request, search, ownOnly: true }),
    { enabled },
  );

  const shown = [current, ...(sessions.rows ?? []).map(({ sessionId }) => sessionId)];
  const titleOf = useConversationTitles(
    { storage: "postgres" },
    [...new Set(shown)].map((sessionId) => ({ workflowId, sessionId })),
  );

  const refresh = async (sessionId: string) => {
    await queries.invalidateQueries({ queryKey: ["chat-sessions", workflowId] });
    await queries.invalidateQueries({ queryKey: ["memory"] });
    await queries.invalidateQueries({ queryKey: ["earlier-messages", workflowId, sessionId] });
  };
  /** Deletes what is remembered of a conversation; resolves to whether it is gone. */
  const remove = async (sessionId: string): Promise<boolean> => {
    const address: SessionAddress = { place: { storage: "postgres" }, workflowId, sessionId };
    setRemoving((before) => [...before, sessionId]);
    try {
      const messages = await memory.entries(address);
      await memory.clear(address);
      const undo = () => void memory.append(address, messages, { encrypt }).then(() => refresh(sessionId), showError);
      showToast("The conversation was deleted.", { action: { label: "Undo", onClick: undo } });
      await refresh(sessionId);
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      setRemoving((before) => before.filter((other) => other !== sessionId));
    }
  };
  return {
    sessions,
    nameOf: (sessionId: string) => names[sessionId] ?? titleOf({ workflowId, sessionId }) ?? sessionId,
    rename: (sessionId: string, name: string) => setNames(keepChatName(workflowId, sessionId, name)),
    remove,
    isRemoving: (sessionId: string) => removing.includes(sessionId),
  };
}

export type ChatSessions = ReturnType<typeof useChatSessions>;
