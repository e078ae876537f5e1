import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { SaveCaseButton } from "../../features/tests/save-case-button.tsx";
import { useAssistant } from "../../state/assistant/assistant-store.ts";
import { caseEvents } from "../../state/assistant/case-events.ts";
import type { Desk } from "../../state/assistant/desk.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";

/** “Save as test case” for the run that the assistant's verdict is about. */
export function FailedRunCase({ desk }: { desk: Desk }) {
  const { workflowId } = useEditor();
  const [, navigate] = useLocation();
  const proof = useAssistant((state) => (state.proof?.status === "done" ? state.proof.proof : null));
  const runId = useAssistant((state) => state.verdict?.runId);
  const run = useQuery({
    queryKey: ["assistant", "failed run", runId],
    queryFn: () => desk.readRun(runId ?? ""),
    enabled: runId !== undefined,
  });
  if (run.data === undefined) return null;
  return (
    <SaveCaseButton
      workflowId={workflowId}
      events={caseEvents(run.data, proof)}
      onOpenSuite={(suiteId) => navigate(`/tests/${suiteId}`)}
    />
  );
}
