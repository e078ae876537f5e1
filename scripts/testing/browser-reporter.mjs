import { readFileSync } from "node:fs";
import { shortened, writeResult } from "./results.mjs";

const maxPageLines = 200;

/** Writes the result of each browser test once it has ended. */
export default class {
  onTestEnd(test, result) {
    if (result.status === "interrupted") return;
    const status = { expected: "passed", skipped: "skipped" }[test.outcome()] ?? "failed";
    const { file, line } = test.location;
    const messages = result.errors.map((error) => shortened(error.message ?? String(error.value)));
    // The page as assistive technology saw it, where the folder of results is not kept.
    const pages = process.env.CI ? result.attachments.flatMap(pageOf) : [];
    const fileName = file.slice(file.lastIndexOf("/") + 1);
    writeResult({ file: fileName, ms: result.duration });
    writeResult({
      name: `${fileName}:${line} ${test.title}`,
      status,
      message: [...messages, ...pages].join("\n"),
    });
  }

  onError(error) {
    writeResult({ name: "an error outside all tests", status: "failed", message: shortened(error.message ?? "") });
  }

  printsToStdio() {
    return false;
  }
}

function pageOf({ name, path }) {
  if (name !== "error-context" || path === undefined) return [];
  try {
    const page = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(path, "utf8"))?.[1];
    return page === undefined ? [] : [shortened(page, maxPageLines)];
  } catch {
    return [];
  }
}
