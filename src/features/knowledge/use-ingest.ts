import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { knowledgeKey } from "../../state/knowledge/collection-list.ts";
import { type IngestJob, hasEnded } from "../../state/knowledge/ingest/ingest-job.ts";
import { type Ingest, ingestOf } from "../../state/knowledge/ingest/ingest.ts";
import { reindex } from "../../state/knowledge/reindex.ts";
import { useServices } from "../../services/services-context.tsx";
import { showError } from "../../ui/feedback/toast.tsx";
import { atMostEvery } from "./at-most-every.ts";

/** What a closed tab interrupted goes on once per page; what a person stops then stays stopped. */
const resumed = new WeakSet<Ingest>();

/** Milliseconds between two readings of the lists: of 200 files at once each would have them read twice. */
const refreshMs = 1_000;

/** The page's ingest and the jobs of one collection. The lists are read anew as its jobs go on. */
export function useIngest(collectionId: string): { ingest: Ingest; jobs: readonly IngestJob[] } {
  const services = useServices();
  const queries = useQueryClient();
  const ingest = ingestOf(services);
  const all = useStore(ingest.store, (state) => state.jobs);
  const jobs = useMemo(() => all.filter((job) => job.collectionId === collectionId), [all, collectionId]);
  // A document shows once it is read and again once its chunks are stored.
  const steps = jobs.reduce((sum, job) => sum + (job.documentId === null ? 0 : 1) + (hasEnded(job) ? 1 : 0), 0);
  const seen = useRef(steps);

  const soon = useMemo(
    () => atMostEvery(refreshMs, () => void queries.invalidateQueries({ queryKey: knowledgeKey })),
    [queries],
  );
  useEffect(() => soon.stop, [soon]);

  useEffect(() => {
    if (steps > seen.current) soon.ask();
    seen.current = steps;
  }, [steps, soon]);

  useEffect(() => {
    if (resumed.has(ingest)) return;
    resumed.add(ingest);
    ingest.resume().catch((error: unknown) => showError(error));
    // What fails here is tried again on the next page, and by workers; searching works meanwhile.
    reindex(services.knowledge).catch(() => {});
  }, [ingest, services]);

  return { ingest, jobs };
}
