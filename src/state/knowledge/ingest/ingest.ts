import { type Host, nobodyApproves } from "../../../engine/host.ts";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { DocumentSummary, IngestSource } from "../../../services/knowledge.ts";
import { newId } from "../../shared/new-id.ts";
import type { Services } from "../../../services/services.ts";
import { claimListed } from "./claim-listed.ts";
import { createJobQueue } from "./job-queue.ts";
import { hasEnded, type IngestJob, newJob } from "./ingest-job.ts";
import { type JobTask, runJob } from "./run-job.ts";
import { createWorkClaims } from "./work-claims.ts";

type UnfinishedDocument = Pick<DocumentSummary, "id" | "collectionId" | "name">;

interface IngestState {
  /** In the order in which they were added; ended ones stay until they are dismissed. */
  jobs: readonly IngestJob[];
}

/**
 * Brings documents into collections: reads, cuts, embeds and stores them, one job a document, two at a time. Jobs go on
 * while the person looks at other pages, and after a reload once `resume` is called. The failure of one loses no other.
 */
export interface Ingest {
  store: StoreApi<IngestState>;
  /** Returns the ids of the jobs. */
  add(collectionId: string, sources: readonly IngestSource[]): string[];
  /** Stops a job; what it stored stays, and `retry` goes on from there. */
  cancel(jobId: string): void;
  /** Starts a failed or cancelled job again where it stopped. */
  retry(jobId: string): void;
  /** Takes an ended job off the list. */
  dismiss(jobId: string): void;
  /** Picks up what a reload or a closed tab interrupted, in all collections; what is on the list already is left alone. */
  resume(): Promise<void>;
  /** Goes on with a stored document that is not complete: `pending` or `failed`. */
  restart(document: UnfinishedDocument): void;
  /** Cuts all documents of a collection again, by its present chunking, and embeds what has no vector. */
  rechunk(collectionId: string): Promise<void>;
}

const known = new WeakMap<IngestServices, Ingest>();

/** The one ingest of the page. */
export function ingestOf(services: IngestServices): Ingest {
  const found = known.get(services) ?? createIngest(services);
  known.set(services, found);
  return found;
}

const jobsAtOnce = 2;

/** What an ingest needs of the outside. */
export type IngestServices = Pick<Services, "knowledge" | "knowledgeSources" | "createHost"> & {
  auth: Pick<Services["auth"], "current" | "onChange">;
  files: Pick<Services["files"], "add">;
};

/** An ingest on these services. Sign-out stops it and forgets its jobs. */
export function createIngest(services: IngestServices): Ingest {
  const { knowledge: repository, knowledgeSources: sources, files } = services;
  const store = createStore<IngestState>()(() => ({ jobs: [] }));
  const tasks = new Map<string, JobTask>();
  const queue = createJobQueue(jobsAtOnce);
  const claims = createWorkClaims();
  let host: Host | undefined;
  const openHost = () => (host ??= services.createHost({ workflowId: "knowledge", approve: nobodyApproves }));

  const find = (jobId: string) => store.getState().jobs.find((job) => job.id === jobId);
  const change = (jobId: string, update: Partial<IngestJob>) =>
    store.setState(({ jobs }) => ({ jobs: jobs.map((job) => (job.id === jobId ? { ...job, ...update } : job)) }));
  const forget = (jobId: string) => {
    claims.release(jobId);
    tasks.delete(jobId);
    store.setState(({ jobs }) => ({ jobs: jobs.filter((job) => job.id !== jobId) }));
  };
  const dropPending = (jobId: string) => sources.pending.remove(jobId);

  services.auth.onChange((account) => {
    if (account !== null) return;
    queue.stopAll();
    tasks.clear();
    const { jobs } = store.getState();
    store.setState({ jobs: [] });
    for (const { id } of jobs) {
      claims.release(id);
      // What waited was this person's; the next one at this browser is another.
      dropPending(id).catch(() => {});
    }
  });

  function start(jobId: string): void {
    // While it waits for its turn as well, so that no other tab takes it up.
    void claimWork(jobId);
    queue.add(jobId, async (signal) => {
      try {
        if (await claimWork(jobId)) await work(jobId, signal);
        // Another tab does it.
        else forget(jobId);
      } finally {
        claims.release(jobId);
      }
    });
  }

  async function claimWork(jobId: string): Promise<boolean> {
    const task = tasks.get(jobId);
    return task === undefined || (await claims.take(jobId, task.type === "stored" ? task.documentId : jobId));
  }

  async function work(jobId: string, signal: AbortSignal): Promise<void> {
    const job = find(jobId);
    const task = tasks.get(jobId);
    if (!job || !task || signal.aborted) return;
    await runJob(job.collectionId, task, {
      repository,
      sources,
      files,
      openHost,
      signal,
      claim: (id) => claims.takeInTurn(jobId, id, signal),
      change: (update) => change(jobId, update),
      async onStored(documentId) {
        // From here on the stored text is what a retry works on.
        tasks.set(jobId, { type: "stored", documentId, name: find(jobId)?.name ?? job.name });
        await dropPending(jobId);
      },
    });
    if (find(jobId)?.status !== "cancelled" && hasEndedNow(jobId)) await dropPending(jobId);
  }

  const hasEndedNow = (jobId: string) => {
    const job = find(jobId);
    return job !== undefined && hasEnded(job);
  };

  function enqueue(job: IngestJob, task: JobTask): void {
    tasks.set(job.id, task);
    store.setState(({ jobs }) => ({ jobs: [...jobs, job] }));
    start(job.id);
  }

  async function keep(jobId: string, collectionId: string, source: IngestSource): Promise<void> {
    const account = await services.auth.current();
    if (account) await sources.pending.put({ id: jobId, owner: account.id, collectionId, source });
    // It may have been read, or have ended, before it was kept.
    if (tasks.get(jobId)?.type !== "source" || hasEndedNow(jobId)) await dropPending(jobId);
  }

  /** The job of this page that has a document, or had it last. */
  const jobOf = (documentId: string) =>
    find(claims.holder(documentId) ?? "") ?? store.getState().jobs.find((job) => job.documentId === documentId);

  function restart({ id, collectionId, name }: UnfinishedDocument, jobId = newId()): void {
    const earlier = jobOf(id);
    if (earlier && !hasEnded(earlier)) return;
    if (earlier) forget(earlier.id);
    enqueue(newJob({ id: jobId, collectionId, name, origin: "stored", documentId: id }), {
      type: "stored",
      documentId: id,
      name,
    });
  }

  /** Begins a job again that works on a stored document. */
  function beginAgain(jobId: string): void {
    queue.stop(jobId);
    change(jobId, { status: "queued", progress: { done: 0, total: 0 }, error: null, outcome: null, waiting: null });
    start(jobId);
  }

  async function resumeAll(): Promise<void> {
    const account = await services.auth.current();
    if (!account) return;
    const { pending } = sources;
    const waiting = await claimListed(
      claims,
      () => pending.list(account.id),
      ({ id }) => (find(id) ? undefined : id),
    );
    for (const [id, { collectionId, source }] of waiting) {
      const name = source.type === "url" ? source.url : source.name;
      enqueue(newJob({ id, collectionId, name, origin: source.type, documentId: null }), { type: "source", source });
    }
    const unfinished = await claimListed(
      claims,
      () => repository.pendingDocuments(),
      ({ id }) => {
        const job = jobOf(id);
        // What failed or was stopped here waits for the person.
        return job === undefined || job.status === "done" ? newId() : undefined;
      },
    );
    for (const [jobId, document] of unfinished) restart(document, jobId);
  }

  let resuming: Promise<void> | undefined;

  return {
    store,
    restart: (document) => restart(document),

    add(collectionId, given) {
      return given.map((source) => {
        const id = newId();
        const name = source.type === "url" ? source.url : source.name;
        enqueue(newJob({ id, collectionId, name, origin: source.type, documentId: null }), { type: "source", source });
        // Unkept it is still added, as long as the page lives.
        keep(id, collectionId, source).catch(() => {});
        return id;
      });
    },

    cancel(jobId) {
      const job = find(jobId);
      if (!job || hasEnded(job)) return;
      queue.stop(jobId);
      if (!queue.isRunning(jobId)) claims.release(jobId);
      change(jobId, { status: "cancelled", waiting: null });
      if (job.documentId === null) void dropPending(jobId);
    },

    retry(jobId) {
      const job = find(jobId);
      if (!job || !hasEnded(job) || !tasks.has(jobId)) return;
      change(jobId, { status: "queued", error: null, outcome: null, waiting: null });
      start(jobId);
    },

    dismiss(jobId) {
      const job = find(jobId);
      if (job && hasEnded(job)) forget(jobId);
    },

    resume() {
      resuming ??= resumeAll().finally(() => (resuming = undefined));
      return resuming;
    },

    async rechunk(collectionId) {
      await repository.markPending(collectionId);
      for (const document of await repository.pendingDocuments(collectionId)) {
        const job = jobOf(document.id);
        // One that is under way may have read the settings before they were changed.
        if (job && !hasEnded(job) && job.documentId !== null) beginAgain(job.id);
        else restart(document);
      }
    },
  };
}
