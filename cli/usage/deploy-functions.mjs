/** What `npm run deploy-functions -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Deploys the edge functions to a hosted Supabase project.

  npm run deploy-functions -- --project-ref <ref> [options of supabase functions deploy]

  --project-ref <ref>  the project, as in https://<ref>.supabase.co
  --yes                deploy without asking, for scripts
  --help               print this

Each function is written as one file with what it uses of its packages, since some would otherwise be larger than a project takes, and
given to supabase functions deploy --use-api, which needs no Docker. Sign in once with npx supabase login, or set SUPABASE_ACCESS_TOKEN.
It exits with 0 when all are deployed, with 1 when that failed, and with 2 when it was not called correctly.`;
