/** Who makes the vectors that a model server of the studio's own machine makes, whichever it is. */
export const localEmbedding = "local";

/** Who makes vectors by the model that Supabase's edge runtime has built in. */
export const builtInEmbedding = "supabase";

const free: ReadonlySet<string> = new Set([localEmbedding, builtInEmbedding]);

/** Whether nobody charges for the vectors of a provider that does nothing else. */
export function isFreeEmbedding(provider: string): boolean {
  return free.has(provider);
}
