import type { CaseSummary, Evaluation, VariantSummary } from "../../src/evaluation/result/evaluation.ts";
import type { Interval } from "../../src/evaluation/statistics/wilson.ts";
import { neededWords, percent } from "../../src/evaluation/statistics/words.ts";
import type { Suite } from "../../src/evaluation/suite/suite.ts";

const states: Readonly<Record<CaseSummary["state"], string>> = {
  passing: "",
  failing: "fails every time",
  mixed: "fails at times",
  unchecked: "nothing was checked",
  unknown: "nothing counts",
};
const marks = { passed: "✓", failed: "✗", "too-little-evidence": "?", skipped: "–" };
const endings: Readonly<Record<Evaluation["status"], string>> = {
  passed: "Passed.",
  failed: "Failed.",
  unchecked: "Not everything was checked, so nothing is proven.",
  "too-little-evidence": "Too little evidence.",
  "not-run": "It could not run.",
};

/** Reasons that are shown in full; the result file has them all. */
const mostReasons = 10;

/** What a person at a terminal reads of a result. */
export function summaryText(evaluation: Evaluation, { gate }: Pick<Suite, "gate">): string {
  const { suite, measured, replay, trials, planned, stopped, variants } = evaluation;
  const head = `${suite}: ${trials.length} of ${planned} trials, replay ${replay}`;
  const versions = measured ? [`Suite ${measured.suite}, workflow ${measured.workflow}`] : [];
  const lines = [
    head,
    ...versions,
    ...variants.flatMap((variant) => ["", ...variantLines(variant, variants.length > 1)]),
  ];
  const failed = trials.filter(({ status }) => status === "failed");
  if (failed.length > 0) lines.push("", "Failed trials");
  for (const { caseId, variant, trial, reason } of failed.slice(0, mostReasons)) {
    const which = variants.length > 1 ? `${caseId}, ${variant}` : caseId;
    lines.push(`  ${which}, trial ${trial}: ${reason.replaceAll("\n", "\n    ")}`);
  }
  if (failed.length > mostReasons) lines.push(`  … and ${failed.length - mostReasons} more`);
  if (stopped) lines.push("", stopped.message);
  lines.push("", endings[evaluation.status]);
  if (evaluation.status === "too-little-evidence" && gate?.passRate !== undefined)
    lines.push(neededWords(gate.passRate, gate.confidence));
  return lines.join("\n");
}

function variantLines(summary: VariantSummary, isOneOfMany: boolean): string[] {
  const { variant, cases, interval, passRate, excludedBy, words, comparison, gate, meanCostUsd, p95LatencyMs } =
    summary;
  const width = Math.max(5, ...cases.map(({ caseId }) => caseId.length));
  const row = (name: string, passed: string, range: Interval | undefined, note: string) => {
    const shown = range === undefined ? "–" : `${percent(range.low)} to ${percent(range.high)}`;
    return `  ${name.padEnd(width)}  ${passed.padStart(7)}  ${shown.padEnd(18)}${note}`.trimEnd();
  };
  const lines = isOneOfMany ? [variant] : [];
  for (const { caseId, passed, trials, excluded, unchecked, interval: range, state } of cases) {
    const isPartly = unchecked > 0 && trials > 0;
    const notes = [
      isPartly ? `${unchecked} not checked` : states[state],
      excluded > 0 ? `${excluded} not counted` : "",
    ];
    const note = notes.filter(Boolean).join(", ");
    lines.push(row(caseId, `${passed}/${trials}`, trials === 0 ? undefined : range, note));
  }
  lines.push(
    row("All", passRate === null ? "–" : percent(passRate), passRate === null ? undefined : interval, ""),
    `  ${words}`,
  );
  const excluded = Object.entries(excludedBy).map(([code, count]) => `${count} × ${code}`);
  if (excluded.length > 0) lines.push(`  Not counted, since they say nothing of the agent: ${excluded.join(", ")}.`);
  const cost = meanCostUsd === null ? "cost not known" : `${Number(meanCostUsd.toPrecision(3))} US dollars`;
  if (p95LatencyMs !== null)
    lines.push(`  A trial on average: ${cost}. 95 of 100 take up to ${Math.round(p95LatencyMs)} ms.`);
  if (comparison) lines.push(`  ${comparison.words}`);
  if (comparison && comparison.worse.length > 0) lines.push(`  Worse: ${comparison.worse.join(", ")}`);
  for (const { name, status, message } of gate.checks) lines.push(`  ${marks[status]} ${name}: ${message}`);
  return lines;
}
