import { openSuite, plannedTrials, type SuiteReader, summaryOf } from "../evaluation/open-suite.ts";
import type { EvaluationService } from "../../services/services.ts";
import type { ReadSuite } from "./failing-cases.ts";

/** Where suites and their results are read. */
interface SuiteServices extends SuiteReader {
  evaluations: SuiteReader["evaluations"] & Pick<EvaluationService, "evaluations" | "trials">;
}

/** A suite with its last result. Rejects with a ServiceError. */
export async function readSuite(services: SuiteServices, suiteId: string): Promise<ReadSuite> {
  const open = await openSuite(services, suiteId);
  const [last] = await services.evaluations.evaluations(suiteId, 1);
  const trials = last ? await services.evaluations.trials(last.id) : [];
  return {
    name: open.stored.name,
    cases: open.cases.map((one) => one.case),
    result: last ? summaryOf(open, trials, last.summary?.planned ?? plannedTrials(open)) : undefined,
  };
}
