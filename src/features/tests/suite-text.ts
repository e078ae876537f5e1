import { isJsonObject, type Json } from "../../engine/json.ts";
import type { MeasuredVersions } from "../../evaluation/result/evaluation.ts";
import type { EvaluationStatus, StoredEvaluation } from "../../services/services.ts";
import type { BadgeTone } from "../../ui/feedback/badge.tsx";

/** What a status is called, and how it looks. */
export const statusLooks: Readonly<Record<EvaluationStatus, { words: string; tone: BadgeTone }>> = {
  running: { words: "Not finished", tone: "warning" },
  passed: { words: "Passed", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  unchecked: { words: "Not checked", tone: "warning" },
  "too-little-evidence": { words: "Too little evidence", tone: "warning" },
  "not-run": { words: "Could not run", tone: "danger" },
};

/** Which versions an evaluation measures, in words; undefined where it is older than versions of suites are. */
export function measuredWords({ suite, workflow }: StoredEvaluation["measured"]): MeasuredVersions | undefined {
  if (suite === null) return undefined;
  const { revision, published } = workflow;
  const saved = revision === null ? "a proposal that was not saved" : `revision ${revision}`;
  return { suite: `version ${suite}`, workflow: published === null ? saved : `published version ${published}` };
}

/** `1 case`, `2 cases`. */
export function caseCount(count: number): string {
  return count === 1 ? "1 case" : `${count} cases`;
}

/** Milliseconds as somebody who waits thinks of them. */
export function waitWords(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** A value as one line of a list has room for it. */
export function inOneLine(value: Json): string {
  const said = isJsonObject(value) && typeof value.message === "string" ? value.message : value;
  const text = typeof said === "string" ? said : JSON.stringify(said);
  return text.replace(/\s+/g, " ").trim();
}
