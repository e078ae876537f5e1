import { canonicalJson } from "../../engine/canonical-json.ts";
import type { ApprovalRequest } from "../../engine/host.ts";
import type { Allowable } from "../../engine/trust/allowed-values.ts";

/**
 * What a person may allow for good at a set of calls: each value once, as the first call that has it names it, as long as one of the
 * calls that are kept has it. Undefined where there is none, or the calls are of several workflows. `isAll`: with these none of the calls would
 * have asked.
 */
export function allowableOfSet<Call extends { request: Pick<ApprovalRequest, "allowable"> }>(
  calls: readonly Call[],
  isKept: (call: Call) => boolean,
): Allowable | undefined {
  const workflows = new Set(calls.flatMap(({ request }) => request.allowable?.workflowId ?? []));
  const [workflowId] = workflows;
  if (workflowId === undefined || workflows.size > 1) return undefined;
  const kept = calls.filter(isKept);
  const open = new Set(kept.flatMap(({ request }) => request.allowable?.values ?? []).map(canonicalJson));
  const all = calls.flatMap(({ request }) => request.allowable?.values ?? []).toReversed();
  const values = [...new Map(all.map((value) => [canonicalJson(value), value])).entries()]
    .filter(([key]) => open.has(key))
    .map(([, value]) => value)
    .toReversed();
  const isAll = kept.every(({ request }) => request.allowable?.isAll === true);
  return values.length === 0 ? undefined : { workflowId, values, isAll };
}
