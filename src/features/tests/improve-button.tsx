import { useLocation } from "wouter";
import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import { assistantStore } from "../../state/assistant/assistant-store.ts";
import type { RunnableSuite } from "../../state/evaluation/open-suite.ts";
import { Button } from "../../ui/buttons/button.tsx";

/** Has the assistant propose better prompts for the cases that do not pass every time. Nothing where all do. */
export function ImproveButton({ open, evaluation }: { open: RunnableSuite; evaluation: Evaluation }) {
  const [, navigate] = useLocation();
  const fails = evaluation.variants[0]?.cases.some(({ state }) => state === "failing" || state === "mixed");
  if (!fails) return null;
  const { id, name, workflowId } = open.stored;
  return (
    <Button
      size="sm"
      icon="sparkles"
      onClick={() => {
        assistantStore
          .getState()
          .ask(`Improve the prompts so that more cases of the suite “${name}” pass.`, { improve: id });
        navigate(`/w/${workflowId}`);
      }}
    >
      Improve
    </Button>
  );
}
