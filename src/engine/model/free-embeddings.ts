/** Who makes the vectors that a model server of the studio's own machine makes, whichever it is. */
export const localEmbedding = "local";

/** Who makes vectors by the model that Supabase's edge runtime has built in. */
export const builtInEmbedding = "supabase";

/** The most texts of one request to it: few enough for the two seconds of processor time that a hosted project gives a request. */
export const maxBuiltInTexts = 4;

const free: ReadonlySet<string> = new Set([localEmbedding, builtInEmbedding]);

/** Whether nobody charges for the vectors of a provider that does nothing else. */
export function isFreeEmbedding(provider: string): boolean {
  return free.has(provider);
}
