import { type PublishCheck, type PublishCheckReader, resultOf } from "../../state/evaluation/publish-checks.ts";
import { ServiceError } from "../../services/services.ts";
import { isUnderWay, runVersion, type SuiteServices } from "./run-suite.ts";

/**
 * Runs the suites one after the other, on the live version first where the two are compared. Resolves to false when one was
 * stopped by hand. Rejects with a ServiceError.
 */
export async function runPublishChecks(
  services: PublishCheckReader & SuiteServices,
  checks: readonly PublishCheck[],
): Promise<boolean> {
  for (const { version, live } of checks) {
    for (const tried of live ? [live, version] : [version]) {
      const { id, name } = tried.stored;
      if (isUnderWay(id)) {
        throw new ServiceError("conflict", `The suite “${name}” is already running.`, "Publish once it has finished.");
      }
      if (tried === live && (await resultOf(services, live))) continue;
      await runVersion(services, tried, { resume: true });
      if (!(await resultOf(services, tried))) return false;
    }
  }
  return true;
}
