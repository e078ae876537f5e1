import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useLocation } from "wouter";
import { AssistantFrame } from "../../features/assistant/assistant-frame.tsx";
import { assistantStore } from "../../state/assistant/assistant-store.ts";
import type { Desk } from "../../state/assistant/desk.ts";
import { storedProposal } from "../../state/assistant/stored-proposal.ts";
import { openAssistant } from "../../state/assistant/open-assistant.ts";
import { openDesk } from "../../state/assistant/open-desk.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import { newId } from "../../state/shared/new-id.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { AssistantChat } from "./assistant-chat.tsx";

/** What the assistant works on in this workflow, with what an earlier visit has left undecided. */
function useDesk(): Desk {
  const services = useServices();
  const editor = useEditor();
  const { kept, desk } = useMemo(() => {
    const left = storedProposal(editor.workflowId).read();
    return { kept: left, desk: openDesk(editor, services, assistantStore.getState().setDesk, left) };
  }, [editor, services]);
  useEffect(() => {
    const storage = storedProposal(editor.workflowId);
    const { sessionId = null, improving = null, measured = null } = kept ?? {};
    assistantStore.setState({ desk, ...desk.state(), sessionId, improving, measured });
    // On an empty canvas there is nothing that the person looks at yet.
    if (kept !== null && Object.keys(kept.base.nodes).length === 0)
      requestAnimationFrame(() => editor.canvas.getState().controls?.fit());
    const stop = assistantStore.subscribe((state, before) => {
      const { proposal, verdict } = state;
      const isKept = (["proposal", "verdict", "sessionId", "improving", "measured"] as const).every(
        (part) => state[part] === before[part],
      );
      if (isKept) return;
      if (proposal === null) return storage.remove();
      const { base, draft } = proposal;
      storage.write({
        base,
        draft,
        verdict,
        sessionId: state.sessionId,
        improving: state.improving,
        measured: state.measured,
      });
    });
    return () => {
      stop();
      assistantStore.getState().reset();
    };
  }, [desk, editor, kept]);
  return desk;
}

/** The assistant for the open workflow: its own workflow is opened, or made, and talks in the panel. */
export function AssistantArea() {
  const services = useServices();
  const [, navigate] = useLocation();
  const stored = useQuery({
    queryKey: ["assistant"],
    queryFn: () => openAssistant(services.workflows, newId),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const desk = useDesk();
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
