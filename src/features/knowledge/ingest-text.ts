import {
  hasEnded,
  type IngestJob,
  type IngestOutcome,
  type IngestStatus,
} from "../../state/knowledge/ingest/ingest-job.ts";
import { formatCost } from "../../ui/text/format-amount.ts";

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

const stages: Record<Exclude<IngestStatus, "done" | "failed">, string> = {
  queued: "Waiting for the others",
  reading: "Reading",
  chunking: "Splitting into chunks",
  embedding: "Embedding",
  saving: "Saving",
  cancelled: "Stopped; what was stored is kept",
};

function outcomeWords(outcome: IngestOutcome | null): string {
  switch (outcome?.type) {
    case undefined:
      return "Done";
    case "added":
      return "Added";
    case "updated":
      return `Updated: ${counted(outcome.kept, "chunk")} kept, ${outcome.added} new, ${outcome.removed} removed`;
    case "unchanged":
      return "Already here, unchanged; nothing was added";
    case "described":
      return "Already here; its metadata was updated";
    case "duplicate":
      return `Same content as “${outcome.of}”; nothing was added`;
    default:
      return outcome satisfies never;
  }
}

/** What became of jobs that have all ended: "Added", or how many were not. */
export function endedWords(jobs: readonly Pick<IngestJob, "status">[]): string {
  const failed = jobs.filter(({ status }) => status === "failed").length;
  const stopped = jobs.filter(({ status }) => status === "cancelled").length;
  if (failed + stopped === 0) return "Added";
  const words = failed === jobs.length ? [] : [`${jobs.length - failed - stopped} of ${jobs.length} added`];
  if (failed > 0) words.push(`${failed} failed`);
  if (stopped > 0) words.push(`${stopped} stopped`);
  return words.join(", ");
}

/** What a job does or did, in words. */
export function jobText(job: IngestJob): string {
  const { status, progress, waiting, outcome, costUsd, error } = job;
  if (waiting !== null) return `${waiting.reason} Retrying in ${waiting.seconds} s`;
  if (status === "done") {
    const cost = costUsd !== null && costUsd > 0 ? ` · ${formatCost(costUsd)}` : "";
    return `${outcomeWords(outcome)}${cost}`;
  }
  if (status === "failed") return error?.message ?? "It failed.";
  const count = progress.total > 0 ? ` · ${progress.done} of ${counted(progress.total, "chunk")}` : "";
  return `${stages[status]}${count}`;
}

/** How much of a job is done, 0 to 1; null while that is not known. */
export function jobShare({ progress, status }: IngestJob): number | null {
  if (status === "done") return 1;
  return progress.total === 0 ? null : progress.done / progress.total;
}

/** How much of all jobs together is done, 0 to 1: each counts alike, and one that has ended as a whole. */
export function totalShare(jobs: readonly IngestJob[]): number {
  const shares = jobs.map((job) => (hasEnded(job) ? 1 : (jobShare(job) ?? 0)));
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(jobs.length, 1);
}

/** Failures that several jobs have alike, each once. */
export function sharedFailures(jobs: readonly IngestJob[]): { message: string; hint: string; count: number }[] {
  const failures = new Map<string, { message: string; hint: string; count: number }>();
  for (const { status, error } of jobs) {
    if (status !== "failed" || error === null) continue;
    failures.set(error.message, { ...error, count: (failures.get(error.message)?.count ?? 0) + 1 });
  }
  return [...failures.values()].filter(({ count }) => count > 1);
}
