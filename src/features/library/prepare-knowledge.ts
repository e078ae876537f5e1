import { ingestOf } from "../../state/knowledge/ingest/ingest.ts";
import { hasEnded, type IngestJob } from "../../state/knowledge/ingest/ingest-job.ts";
import type { Ingest, IngestServices } from "../../state/knowledge/ingest/ingest.ts";
import { ServiceError } from "../../services/services.ts";
import type { TemplateKnowledge } from "./templates/workflow-template.ts";

/** Resolves with the jobs once all of them have ended. */
function ended({ store }: Ingest, ids: readonly string[]): Promise<IngestJob[]> {
  return new Promise((resolve) => {
    const check = () => {
      const jobs = store.getState().jobs.filter((job) => ids.includes(job.id));
      if (!jobs.every(hasEnded)) return;
      stop();
      resolve(jobs);
    };
    const stop = store.subscribe(check);
    check();
  });
}

/**
 * The id of a collection with a template's documents: the one that is there already, or a new one, searched by keyword so
 * that no key is needed. Undefined, and nothing is left of it, when nobody wants it any more by the time it is there.
 * Rejects with a ServiceError when not all of the documents could be stored.
 */
export async function prepareKnowledge(
  services: IngestServices,
  wanted: TemplateKnowledge,
  isWanted: () => boolean = () => true,
): Promise<string | undefined> {
  const { knowledge } = services;
  const { name, description, documents } = wanted;
  const there = (await knowledge.collections({ search: name })).find(
    (one) => one.name === name && one.documents >= documents.length,
  );
  if (there !== undefined) return isWanted() ? there.id : undefined;
  const ingest = ingestOf(services);
  const { id } = await knowledge.create({ name, description, embedding: null });
  const ids = ingest.add(
    id,
    documents.map((document) => ({ type: "paste", ...document })),
  );
  const jobs = await ended(ingest, ids);
  for (const job of jobs) ingest.dismiss(job.id);
  const failed = jobs.find(({ status }) => status !== "done");
  if (failed === undefined && isWanted()) return id;
  await knowledge.remove(id);
  if (failed === undefined || !isWanted()) return undefined;
  throw new ServiceError(
    "server",
    `The example documents could not be stored: ${failed.error?.message ?? `${failed.name} was stopped.`}`,
    failed.error?.hint ?? "Choose the template again.",
  );
}
