import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { showError } from "../../ui/toast.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { forgetFromQuestion, forgetTurns } from "./forget-turns.ts";
import { supersede } from "./superseded-runs.ts";

/** Where in the conversation a message is asked again: at a run of this tab, or at a remembered question, counted from 0. */
export type ResendPlace = { kind: "run"; runId: string } | { kind: "earlier"; question: number };

interface Conversation {
  sessionId: string;
  /** The runs shown, oldest first. */
  turns: readonly string[];
  send(message: ChatMessage): boolean;
}

/** Asks a question again: what came of it and after it leaves the conversation and its memory first. */
export function useResend({ sessionId, turns, send }: Conversation) {
  const { workflowId, document, runs } = useEditor();
  const { memory } = useServices();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  const forget = async (place: ResendPlace) => {
    const { document: workflow } = document.getState();
    if (place.kind === "earlier") {
      await forgetFromQuestion(memory, { workflowId, sessionId }, place.question);
      supersede(turns);
      await queries.invalidateQueries({ queryKey: ["earlier-messages", workflowId, sessionId] });
      return;
    }
    const gone = turns.slice(turns.indexOf(place.runId));
    await forgetTurns(
      memory,
      workflow,
      gone.flatMap((runId) => runs.getState().runs[runId] ?? []),
    );
    supersede(gone);
  };

  const resend = async (place: ResendPlace, message: ChatMessage) => {
    setBusy(true);
    try {
      await forget(place);
      send(message);
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return { resend, busy };
}
