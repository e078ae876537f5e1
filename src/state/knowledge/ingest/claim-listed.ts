import type { WorkClaims } from "./work-claims.ts";

/**
 * Claims what is listed and nobody works on, each for the job that `jobIdOf` names; gives it with that job's id. The list
 * is read again under the claims, since what it had at first may have ended meanwhile.
 */
export async function claimListed<Item extends { id: string }>(
  claims: WorkClaims,
  list: () => Promise<readonly Item[]>,
  jobIdOf: (item: Item) => string | undefined,
): Promise<(readonly [jobId: string, Item])[]> {
  const jobIds = new Map<string, string>();
  for (const item of await list()) {
    const jobId = jobIdOf(item);
    if (jobId !== undefined && (await claims.take(jobId, item.id))) jobIds.set(item.id, jobId);
  }
  if (jobIds.size === 0) return [];
  const unused = new Set(jobIds.values());
  try {
    return (await list()).flatMap((item) => {
      const jobId = jobIds.get(item.id);
      if (jobId === undefined) return [];
      unused.delete(jobId);
      return [[jobId, item] as const];
    });
  } finally {
    for (const jobId of unused) claims.release(jobId);
  }
}
