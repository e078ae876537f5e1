import type { Evaluation } from "./evaluation.ts";

/** The trials of a result as a table (RFC 4180), one a line. */
export function toCsv({ trials }: Pick<Evaluation, "trials">): string {
  const head = [
    "case",
    "variant",
    "trial",
    "status",
    "score",
    "reason",
    "answer",
    "costUsd",
    "latencyMs",
    "tokens",
    "run",
    "label",
  ];
  const rows = trials.map(
    ({ caseId, variant, trial, status, score, reason, answer, costUsd, latencyMs, tokens, runId, label }) =>
      [caseId, variant, trial, status, score, reason, answer, costUsd ?? "", latencyMs, tokens, runId, label ?? ""]
        .map(cell)
        .join(","),
  );
  return [head.join(","), ...rows, ""].join("\r\n");
}

/** A text that a spreadsheet would take for a formula is marked as text. */
function cell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
