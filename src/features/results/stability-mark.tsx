import type { Stability } from "../../evaluation/steps/stability.ts";
import { useStability } from "../../state/evaluation/decision-checks.ts";
import { classNames } from "../../ui/theme/class-names.ts";

/** The colour of a decision: always the same, mostly, or more often another one. */
export function stabilityTint({ same, of }: Stability): string {
  if (same === of) return "text-success";
  return same * 2 > of ? "text-warning" : "text-danger";
}

/** "4/5" beside a model call whose decision was checked. */
export function StabilityMark({ runId, callId }: { runId: string; callId: string }) {
  const stability = useStability(runId, callId);
  if (!stability || stability.of === 0) return null;
  const { same, of } = stability;
  const words = `Decided the same ${same} of ${of} times`;
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className={classNames("shrink-0 text-xs font-medium numeric", stabilityTint(stability))}
    >
      {same}/{of}
    </span>
  );
}
