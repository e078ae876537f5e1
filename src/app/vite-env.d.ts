interface ImportMetaEnv {
  /** Origin of a hosted Supabase; empty where the server puts the configuration into the page. */
  readonly VITE_SUPABASE_URL?: string;
  readonly VITE_SUPABASE_KEY?: string;
}
