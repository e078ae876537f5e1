import type { WorkflowDocument } from "../../engine/document/workflow-document.ts";
import type { Comparison } from "../../evaluation/result/evaluation.ts";
import { publishedForm } from "../../engine/publish/published-form.ts";
import { openSuite, runnable } from "../../state/evaluation/open-suite.ts";
import { type PublishCheckReader, resultOf } from "../../state/evaluation/publish-checks.ts";
import { ServiceError } from "../../services/services.ts";
import { isUnderWay, runVersion, type SuiteServices } from "./run-suite.ts";

/**
 * Runs a suite on a workflow as it is and as it is proposed, and compares the two case by case. A whole result of exactly one of these
 * versions that is there already counts. Undefined when it was stopped by hand; rejects with a ServiceError.
 */
export async function measureProposal(
  services: PublishCheckReader & SuiteServices,
  suiteId: string,
  { base, draft }: { base: WorkflowDocument; draft: WorkflowDocument },
): Promise<Comparison | undefined> {
  const open = await openSuite(services, suiteId);
  // What is proposed is compared on the workflow's own model.
  const parts = { ...open, suite: { ...open.suite, matrix: [] } };
  // Neither has to be saved.
  const measured = { revision: null, published: null };
  const before = runnable({ ...parts, document: publishedForm(base), measured });
  const after = runnable({ ...parts, document: publishedForm(draft), measured });
  for (const version of [before, after]) {
    if (isUnderWay(suiteId))
      throw new ServiceError(
        "conflict",
        `The suite “${open.stored.name}” is already running.`,
        "Measure again once it has finished.",
      );
    if (await resultOf(services, version)) continue;
    await runVersion(services, version, { resume: true });
    if (!(await resultOf(services, version))) return undefined;
  }
  const result = await resultOf(services, after, await resultOf(services, before));
  return result?.variants[0]?.comparison;
}
