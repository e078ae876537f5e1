import { expect, it } from "vitest";
import { type IngestJob, type IngestStatus, newJob } from "../../state/knowledge/ingest/ingest-job.ts";
import { listedJobs } from "./listed-jobs.ts";

const job = (id: string, status: IngestStatus): IngestJob => ({
  ...newJob({ id, collectionId: "c", name: id, origin: "file", documentId: null }),
  status,
});

const jobs = (count: number, status: IngestStatus) =>
  Array.from({ length: count }, (_, n) => job(`${status} ${n}`, status));

it("all jobs are listed where they are few", () => {
  const few = [...jobs(50, "done"), ...jobs(50, "queued")];
  expect(listedJobs(few)).toEqual(few);
});

it("of many, those under way and those that failed are always listed, in their order", () => {
  const many = [...jobs(600, "done"), ...jobs(3, "failed"), ...jobs(2, "embedding"), ...jobs(400, "queued")];
  const ids = listedJobs(many).map(({ id }) => id);
  expect(ids).toHaveLength(100);
  expect(ids.slice(0, 6)).toEqual(["failed 0", "failed 1", "failed 2", "embedding 0", "embedding 1", "queued 0"]);
});
