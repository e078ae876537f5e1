import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { showError } from "../../ui/toast.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { forgetFromQuestion, forgetTurns } from "./forget-turns.ts";
import { readStoredTurn } from "./stored-turn.ts";
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
  const { workflowId, document, registry, runs } = useEditor();
  const services = useServices();
  const { memory } = services;
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);

  const forget = useCallback(
    async (place: ResendPlace) => {
      const { document: workflow } = document.getState();
      if (place.kind === "earlier") {
        await forgetFromQuestion(memory, { workflowId, sessionId }, place.question);
        supersede(turns);
        await queries.invalidateQueries({ queryKey: ["earlier-messages", workflowId, sessionId] });
        return;
      }
      const gone = turns.slice(turns.indexOf(place.runId));
      const held = runs.getState();
      const turnsGone: RunState[] = [];
      for (const runId of gone) {
        const isPast = held.past[runId] !== undefined;
        const run = held.runs[runId] ?? (isPast ? await readStoredTurn(services.runs, runId) : undefined);
        if (run) turnsGone.push(run);
      }
      await forgetTurns(memory, { document: workflow, registry }, turnsGone);
      supersede(gone);
    },
    [workflowId, document, registry, runs, services, memory, queries, sessionId, turns],
  );

  const resend = useCallback(
    async (place: ResendPlace, message: ChatMessage) => {
      setBusy(true);
      try {
        await forget(place);
        send(message);
      } catch (error) {
        showError(error);
      } finally {
        setBusy(false);
      }
    },
    [forget, send],
  );
  return { resend, busy };
}
