import { mutationOptions, type QueryClient } from "@tanstack/react-query";
import { type TrialResult, trialKey } from "../../evaluation/run/trial-result.ts";
import type { EvaluationService } from "../../services/services.ts";

interface LabelledTrial {
  evaluationId: string;
  trial: TrialResult;
  /** Undefined takes the label back. */
  label: TrialResult["label"];
}

/** Labels that the server may not have yet, the latest last. */
const underWay = new Set<LabelledTrial>();

/** Where the trials of an evaluation are in the cache. */
export const trialsKey = (evaluationId: string | undefined) => ["suites", "trials", evaluationId];

function withLabel({ label: _before, ...rest }: TrialResult, label: TrialResult["label"]): TrialResult {
  return label === undefined ? rest : { ...rest, label };
}

function labelled(trials: readonly TrialResult[], { trial, label }: LabelledTrial): TrialResult[] {
  const key = trialKey(trial);
  return trials.map((one) => (trialKey(one) === key ? withLabel(one, label) : one));
}

/** Reads the trials of an evaluation, with the labels that are still on their way to the server. */
export async function readTrials(
  evaluations: Pick<EvaluationService, "trials">,
  evaluationId: string,
): Promise<TrialResult[]> {
  const stored = await evaluations.trials(evaluationId);
  return [...underWay].filter((change) => change.evaluationId === evaluationId).reduce(labelled, stored);
}

/** Labels a trial. It is shown at once, so that one key after the other can be pressed; the last label wins. */
export function labelTrial(queries: QueryClient, evaluations: Pick<EvaluationService, "addTrial">) {
  return mutationOptions({
    // One after the other: a trial is stored as a whole.
    scope: { id: "label-trial" },
    mutationFn: ({ evaluationId, trial, label }: LabelledTrial) =>
      evaluations.addTrial(evaluationId, withLabel(trial, label)),
    onMutate(change) {
      underWay.add(change);
      queries.setQueryData<TrialResult[]>(
        trialsKey(change.evaluationId),
        (trials) => trials && labelled(trials, change),
      );
    },
    onSettled(_stored, error, change) {
      underWay.delete(change);
      const queryKey = trialsKey(change.evaluationId);
      // An answer that is on its way may have been read before the label was stored.
      if (error !== null || queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey });
    },
  });
}
