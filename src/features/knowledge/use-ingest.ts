import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { type IngestJob, hasEnded } from "../../stores/ingest/ingest-job.ts";
import { type Ingest, ingestOf } from "../../stores/ingest/ingest.ts";
import { useServices } from "../../stores/services-context.tsx";
import { showError } from "../../ui/toast.tsx";
import { useRefreshKnowledge } from "./knowledge-queries.ts";

/** What a closed tab interrupted goes on once per page; what a person stops then stays stopped. */
const resumed = new WeakSet<Ingest>();

/** The page's ingest and the jobs of one collection. The lists are read anew whenever one of its jobs ends. */
export function useIngest(collectionId: string): { ingest: Ingest; jobs: readonly IngestJob[] } {
  const services = useServices();
  const refresh = useRefreshKnowledge();
  const ingest = ingestOf(services);
  const all = useStore(ingest.store, (state) => state.jobs);
  const jobs = useMemo(() => all.filter((job) => job.collectionId === collectionId), [all, collectionId]);
  // A document shows once it is read and again once its chunks are stored.
  const steps = jobs.reduce((sum, job) => sum + (job.documentId === null ? 0 : 1) + (hasEnded(job) ? 1 : 0), 0);
  const seen = useRef(steps);

  useEffect(() => {
    if (steps > seen.current) void refresh();
    seen.current = steps;
  }, [steps, refresh]);

  useEffect(() => {
    if (resumed.has(ingest)) return;
    resumed.add(ingest);
    ingest.resume().catch((error: unknown) => showError(error));
  }, [ingest]);

  return { ingest, jobs };
}
