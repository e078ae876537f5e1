import { hasEnded, type IngestJob } from "../../state/knowledge/ingest/ingest-job.ts";

/** More rows than a person looks through would only slow the page down while they change. */
const maxListed = 100;

/** The jobs that have a row of their own, in their order: those under way before failed ones, those that wait, and done ones. */
export function listedJobs(jobs: readonly IngestJob[]): readonly IngestJob[] {
  if (jobs.length <= maxListed) return jobs;
  const first = jobs.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, maxListed);
  const chosen = new Set(first);
  return jobs.filter((job) => chosen.has(job));
}

function rankOf(job: IngestJob): number {
  if (job.status === "failed" || job.status === "cancelled") return 1;
  if (job.status === "queued") return 2;
  return hasEnded(job) ? 3 : 0;
}
