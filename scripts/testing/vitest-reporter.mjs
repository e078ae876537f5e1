import { shortened, writeResult } from "./results.mjs";

const messageOf = (errors) => shortened(errors.map((error) => error.stack ?? error.message).join("\n"));

/** Writes the results of each file of unit tests once it has ended. */
export default class {
  onTestModuleEnd(file) {
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = file.diagnostic();
    const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
    writeResult({ file: file.relativeModuleId, ms });
    for (const test of file.children.allTests()) {
      const { state, errors = [] } = test.result();
      const status = state === "passed" || state === "failed" ? state : "skipped";
      writeResult({ name: `${file.relativeModuleId} ${test.fullName}`, status, message: messageOf(errors) });
    }
    // What fails outside a test: an import, or what is done before all tests.
    for (const part of [file, ...file.children.allSuites()]) {
      if (part.errors().length > 0)
        writeResult({
          name: part.fullName ?? file.relativeModuleId,
          status: "failed",
          message: messageOf(part.errors()),
        });
    }
  }

  onTestRunEnd(_files, unhandledErrors) {
    for (const error of unhandledErrors)
      writeResult({ name: "an error outside all tests", status: "failed", message: messageOf([error]) });
  }
}
