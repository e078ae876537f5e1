import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import { AssistantFrame } from "../../features/assistant/assistant-frame.tsx";
import { assistantStore } from "../../state/assistant/assistant-store.ts";
import { openAssistant } from "../../state/assistant/open-assistant.ts";
import { openDesk } from "../../state/assistant/open-desk.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { newId } from "../../state/shared/new-id.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { AssistantChat } from "./assistant-chat.tsx";

/** The assistant for the open workflow: its own workflow is opened, or made, and talks in the panel. */
export function AssistantArea() {
  const services = useServices();
  const editor = useEditor();
  const [, navigate] = useLocation();
  const stored = useQuery({
    queryKey: ["assistant"],
    queryFn: () => openAssistant(services.workflows, newId),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const desk = useMemo(() => openDesk(editor, services, assistantStore.getState().setDesk), [editor, services]);
  // What is proposed belongs to this workflow.
  useEffect(() => assistantStore.getState().reset, []);
  if (stored.data === undefined)
    return (
      <AssistantFrame>
        <div className="flex flex-1 items-center justify-center p-4">
          {stored.isError ? (
            <LoadFailure error={stored.error} onRetry={() => void stored.refetch()} />
          ) : (
            <Spinner label="Opening the assistant" />
          )}
        </div>
      </AssistantFrame>
    );
  const { id } = stored.data;
  return (
    <AssistantFrame onOpenWorkflow={() => navigate(`/w/${id}`)}>
      <AssistantChat key={id} stored={stored.data} desk={desk} />
    </AssistantFrame>
  );
}
