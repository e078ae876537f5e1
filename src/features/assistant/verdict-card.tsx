import { useAssistant } from "../../stores/assistant/assistant-store.ts";
import { verdictWords } from "../../stores/assistant/verdict.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";

/** Where the cause of the failure lies, with the steps that show it. Nothing without a verdict. */
export function VerdictCard({ onStep }: { onStep: (runId: string, step: number) => void }) {
  const verdict = useAssistant((state) => state.verdict);
  if (verdict === null) return null;
  return (
    <section aria-label="Verdict" className="flex shrink-0 flex-col gap-1 border-t px-3 py-2 text-sm">
      <p className="flex items-center gap-2">
        <span className="font-semibold">Cause</span>
        <Badge>{verdictWords[verdict.kind]}</Badge>
      </p>
      <p className="wrap-anywhere">{verdict.explanation}</p>
      <div className="flex flex-wrap items-center gap-1">
        <span className="text-xs text-muted">Shown by</span>
        {verdict.steps.map((step) => (
          <Button key={step} size="sm" variant="ghost" onClick={() => onStep(verdict.runId, step)}>
            Step {step}
          </Button>
        ))}
      </div>
    </section>
  );
}
