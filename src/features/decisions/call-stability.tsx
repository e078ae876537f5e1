import { useStability } from "../../state/evaluation/decision-checks.ts";
import { decisionText, stabilityText } from "./decision-text.ts";

/** What came of making a call again: each decision with how often it was made. Nothing where it was not checked. */
export function CallStability({ runId, callId }: { runId: string; callId: string }) {
  const stability = useStability(runId, callId);
  if (!stability) return null;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="text-muted">{stabilityText(stability)}</p>
      <ul className="flex flex-col gap-0.5">
        {stability.decisions.map(({ decision, count, isRecorded }) => (
          <li key={decision.key} className="flex gap-2">
            <span className="w-12 shrink-0 text-right text-muted numeric">{count} ×</span>
            <span className="min-w-0 wrap-anywhere">
              {decisionText(decision)}
              {isRecorded && <span className="text-muted"> (as in this run)</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
