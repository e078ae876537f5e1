import { appendFileSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** The environment variable with the file to which the reporters write. */
export const resultsVariable = "SWITCHYARD_TEST_RESULTS";

/** Lines of an error's message that are printed. */
const maxLines = 40;

/** Files of tests that are named as the slowest ones. */
const maxSlowest = 8;

/**
 * @typedef {{ name: string, status: "passed" | "failed" | "skipped", message?: string }} Result
 * @typedef {{ file: string, ms: number }} Duration
 * @typedef {{ name: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, skipped: string[], failures: Failure[] }} Totals
 */

/**
 * Writes a result, or how long tests of a file took, as soon as it is known, so that a run that is cut short has its totals.
 * @param {Result | Duration} result
 */
export function writeResult(result) {
  const path = process.env[resultsVariable];
  if (path) appendFileSync(path, `${JSON.stringify(result)}\n`);
}

/** @returns {Totals} */
export function emptyTotals() {
  return { passed: 0, failed: 0, skipped: [], failures: [] };
}

/** Adds to the first totals, and returns them. @param {Totals} totals @param {Partial<Totals>} more */
export function addTotals(totals, more) {
  totals.passed += more.passed ?? 0;
  totals.failed += more.failed ?? 0;
  totals.skipped.push(...(more.skipped ?? []));
  totals.failures.push(...(more.failures ?? []));
  return totals;
}

/** What has been written so far; the last line may have been cut off. @returns {Totals} */
export function readResults(path) {
  const totals = emptyTotals();
  for (const line of linesOf(path)) {
    const { name, status, message = "" } = JSON.parse(line);
    if (status === "passed") totals.passed += 1;
    if (status === "skipped") totals.skipped.push(name);
    if (status === "failed") addTotals(totals, { failed: 1, failures: [{ name, message }] });
  }
  return totals;
}

/** The files whose tests took longest, the slowest first, with their seconds. @returns {string} */
export function slowestFiles(path) {
  const times = new Map();
  for (const line of linesOf(path)) {
    const { file, ms = 0 } = JSON.parse(line);
    if (file !== undefined) times.set(file, (times.get(file) ?? 0) + ms);
  }
  return [...times]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxSlowest)
    .map(([file, ms]) => `${file} ${Math.round(ms / 1000)} s`)
    .join(", ");
}

function linesOf(path) {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

/** The first lines of an error's text, without its colours. */
export function shortened(text, max = maxLines) {
  const lines = stripVTControlCharacters(text).trimEnd().split("\n");
  return [...lines.slice(0, max), ...(lines.length > max ? [`… ${lines.length - max} more lines`] : [])].join("\n");
}
