import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { untrustedField } from "../../engine/trust/taint.ts";
import { useEditor, useServices } from "../../state/editor/editor-context.tsx";
import type { RunStart } from "../../state/run/run-control.ts";
import { showError } from "../../ui/feedback/toast.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { forgetFromQuestion, forgetTurns } from "./forget-turns.ts";
import { readStoredTurn } from "./stored-turn.ts";
import { supersede } from "./superseded-runs.ts";

/**
 * Where in the conversation a message is asked again: at a run of this tab, at a remembered question, counted from 0, or at one
 * that no memory has.
 */
export type ResendPlace = { kind: "run"; runId: string } | { kind: "earlier"; question: number } | { kind: "unsaved" };

interface Conversation {
  sessionId: string;
  /** The runs shown, oldest first. */
  turns: readonly string[];
  /** Returns false where no run can be started. */
  send(message: ChatMessage, options: Pick<RunStart, "startsAfter" | "untrusted">): boolean;
}

/**
 * Asks a question again; what came of it and after it leaves the conversation and its memory first. `onRefused` is called
 * where it cannot be asked, and all is as it was.
 */
export type Resend = (place: ResendPlace, message: ChatMessage, onRefused?: () => void) => void;

/** How questions of the conversation are asked again. */
export function useResend({ sessionId, turns, send }: Conversation): Resend {
  const { workflowId, document, registry, runs } = useEditor();
  const services = useServices();
  const { memory } = services;
  const queries = useQueryClient();

  const forget = useCallback(
    async (place: ResendPlace) => {
      const { document: workflow } = document.getState();
      if (place.kind === "unsaved") return;
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

  return useCallback(
    (place, message, onRefused) => {
      // The run is under way meanwhile, so that no other one takes its place and the question is not lost.
      const startsAfter = () =>
        forget(place).catch((error: unknown) => {
          showError(error);
          onRefused?.();
          throw error;
        });
      // What an interface wrote stays from outside when it is asked again.
      const { untrusted = [] } = (place.kind === "run" && runs.getState().runs[place.runId]) || {};
      if (!send(message, { startsAfter, ...untrustedField(untrusted) })) onRefused?.();
    },
    [forget, send, runs],
  );
}
