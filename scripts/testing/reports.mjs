import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** Lines of an error's message, and of the page it happened on, that are printed. */
const mostLines = 40;
const mostPageLines = 200;

/**
 * @typedef {{ name: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, skipped: string[], failures: Failure[] }} Results
 */

/** What the JSON report of Vitest says. @returns {Results} */
export function readUnitReport(results) {
  const tests = results.testResults.flatMap((file) => file.assertionResults);
  const brokenFiles = results.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + brokenFiles.length,
    skipped: tests.filter(({ status }) => ["pending", "skipped", "todo"].includes(status)).map((test) => test.fullName),
    failures: [
      ...brokenFiles.map((file) => ({ name: file.name, message: shortened(file.message ?? "") })),
      ...tests
        .filter(({ status }) => status === "failed")
        .map((test) => ({ name: test.fullName, message: shortened((test.failureMessages ?? []).join("\n")) })),
    ],
  };
}

/**
 * What the JSON report of Playwright says. `withPage` adds the page as assistive technology saw it, for where the folder of
 * results is not kept.
 * @returns {Results}
 */
export function readBrowserReport(results, { withPage = false } = {}) {
  const skipped = [];
  const failures = (results.errors ?? []).map((error) => ({ name: "all", message: shortened(error.message ?? "") }));
  const walk = (suite) => {
    for (const { title, file, line, tests } of suite.specs ?? []) {
      if (tests.some((test) => test.status === "skipped")) skipped.push(title);
      for (const test of tests.filter(({ status }) => status === "unexpected" || status === "flaky")) {
        const attempts = test.results.filter(({ errors = [] }) => errors.length > 0);
        const messages = attempts.flatMap(({ errors }) => errors.map((error) => shortened(error.message ?? "")));
        const pages = withPage ? attempts.flatMap(({ attachments = [] }) => attachments.flatMap(pageOf)) : [];
        failures.push({ name: `${file}:${line} ${title}`, message: [...messages, ...pages].join("\n") });
      }
    }
    for (const inner of suite.suites ?? []) walk(inner);
  };
  results.suites.forEach(walk);
  return { passed: results.stats.expected, failed: results.stats.unexpected + results.stats.flaky, skipped, failures };
}

function pageOf({ name, path }) {
  if (name !== "error-context" || path === undefined) return [];
  try {
    const page = /^```yaml\n(.*?)^```$/ms.exec(readFileSync(path, "utf8"))?.[1];
    return page === undefined ? [] : [shortened(page, mostPageLines)];
  } catch {
    return [];
  }
}

function shortened(text, most = mostLines) {
  const lines = stripVTControlCharacters(text).trimEnd().split("\n");
  return [...lines.slice(0, most), ...(lines.length > most ? [`… ${lines.length - most} more lines`] : [])].join("\n");
}
