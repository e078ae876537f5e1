/** A session of the model that Supabase's edge runtime has built in (supabase.com/docs/guides/functions/ai-models). */
export interface EmbeddingSession {
  run(text: string, options: { mean_pool: boolean; normalize: boolean }): Promise<unknown>;
}

declare const Supabase: { ai?: { Session?: new (model: string) => EmbeddingSession } } | undefined;

/** The only model that the runtime has; English, and it reads the first 512 tokens of a text. */
export const builtInModel = "gte-small";

/** The numbers of one of its vectors. */
export const dimension = 384;

let session: EmbeddingSession | undefined;

/** One for all requests of this process; null where the runtime has none, as that of the embedded studio, or cannot open it. */
export function openBuiltInModel(): EmbeddingSession | null {
  const Session = typeof Supabase === "undefined" ? undefined : Supabase.ai?.Session;
  if (Session === undefined) return null;
  try {
    return (session ??= new Session(builtInModel));
  } catch {
    return null;
  }
}
