import type { Evaluation, MeasuredVersions } from "./evaluation.ts";

/**
 * A result as JUnit XML, which CI systems show: a suite per version, a test per case, and the gate as one more. Without a gate a case
 * fails where a trial does; with one, only where all do, since the gate judges the rest.
 */
export function toJUnit({ suite, measured, variants, trials }: Evaluation): string {
  const suites = variants.map(({ variant, cases, gate }) => {
    const tests = cases.map(({ caseId, passed, trials: counted, excluded, unchecked, state, words }) => {
      const own = trials.filter((trial) => trial.variant === variant && trial.caseId === caseId);
      const seconds = own.reduce((sum, { latencyMs }) => sum + latencyMs, 0) / 1_000;
      const reasons = own.flatMap(({ status, trial, reason }) =>
        status === "failed" ? [`Trial ${trial}: ${reason}`] : [],
      );
      const isFailure = state === "failing" || (gate.status === "none" && state === "mixed");
      const isSkipped = state === "unknown" || state === "unchecked";
      const title = [
        state === "unchecked" && counted === 0 ? "Nothing was checked" : `${passed} of ${counted} passed`,
        ...(excluded > 0 ? [`${excluded} not counted`] : []),
        ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
      ].join(", ");
      const body = isSkipped
        ? `<skipped message="${escaped(title)}"/>`
        : isFailure
          ? `<failure message="${escaped(title)}">${escaped([words, ...reasons].join("\n"))}</failure>`
          : `<system-out>${escaped([title, words, ...reasons].join("\n"))}</system-out>`;
      return { xml: testcase(caseId, variant, seconds, body), isFailure, isSkipped };
    });
    if (gate.status !== "none") {
      const words = gate.checks.map(({ name, status, message }) => `${name}: ${status}. ${message}`).join("\n");
      const isFailure = gate.status !== "passed";
      const body = isFailure
        ? `<failure message="${gate.status}">${escaped(words)}</failure>`
        : `<system-out>${escaped(words)}</system-out>`;
      tests.push({ xml: testcase("Gate", variant, 0, body), isFailure, isSkipped: false });
    }
    const count = (key: "isFailure" | "isSkipped") => tests.filter((test) => test[key]).length;
    const name = variants.length === 1 ? suite : `${suite} (${variant})`;
    const counts = `tests="${tests.length}" failures="${count("isFailure")}" skipped="${count("isSkipped")}" errors="0"`;
    const properties = measured ? `${propertiesOf(measured)}\n` : "";
    return `  <testsuite name="${escaped(name)}" ${counts}>\n${properties}${tests.map(({ xml }) => xml).join("\n")}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escaped(suite)}">\n${suites.join("\n")}\n</testsuites>\n`;
}

/** Which versions were measured, where CI systems look for such things. */
function propertiesOf(measured: MeasuredVersions): string {
  const lines = Object.entries(measured).map(
    ([name, value]) => `      <property name="${name}" value="${escaped(value)}"/>`,
  );
  return `    <properties>\n${lines.join("\n")}\n    </properties>`;
}

function testcase(name: string, variant: string, seconds: number, body: string): string {
  return `    <testcase name="${escaped(name)}" classname="${escaped(variant)}" time="${seconds.toFixed(3)}">${body}</testcase>`;
}

/** XML text without characters that XML cannot hold, halves of surrogate pairs among them. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
