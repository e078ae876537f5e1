import { canonicalJson } from "../../canonical-json.ts";
import type { WorkflowDocument } from "../../document/workflow-document.ts";
import type { JsonObject } from "../../json.ts";
import type { EvaluationCase } from "../suite/evaluation-case.ts";
import type { Suite } from "../suite/suite.ts";

/** What trials have to have in common to be trials of one evaluation, to be hashed; how many there are does not matter. */
export function digestText(
  suite: Suite,
  cases: readonly EvaluationCase[],
  document: WorkflowDocument,
  vars: JsonObject,
): string {
  const { trials: _trials, concurrency: _concurrency, maxCostUsd: _cost, gate: _gate, name: _name, ...tried } = suite;
  return canonicalJson([tried, cases, document, vars]);
}
