import { canonicalJson } from "../../engine/canonical-json.ts";
import { impliedComparison, trialAssertions } from "../assertions/trial-assertions.ts";
import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { JsonObject } from "../../engine/json.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import type { Suite } from "../suite/suite.ts";

/** What a suite has besides what its trials have to have in common. */
const apart = ["trials", "concurrency", "maxCostUsd", "gate", "publishing", "name"] as const satisfies (keyof Suite)[];

/**
 * What trials have to have in common to be trials of one evaluation, to be hashed; how many there are does not matter.
 * `workflows`: the others that the workflow runs, where they belong to what is tried.
 */
export function digestText(
  suite: Suite,
  cases: readonly EvaluationCase[],
  document: WorkflowDocument,
  vars: JsonObject,
  workflows: Readonly<Record<string, WorkflowDocument>> = {},
): string {
  const tried = Object.fromEntries(Object.entries(suite).filter(([field]) => !apart.some((name) => name === field)));
  // Earlier versions did not compare these cases: what they found is not a result of the same.
  const compared = cases.filter((one) => trialAssertions(suite, one).includes(impliedComparison)).map(({ id }) => id);
  return canonicalJson([
    tried,
    cases,
    document,
    vars,
    ...(Object.keys(workflows).length > 0 ? [workflows] : []),
    ...(compared.length > 0 ? [{ compared }] : []),
  ]);
}
