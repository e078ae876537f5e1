/** What `npm run prices -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Shows how a list of models and prices differs from the one that a studio uses, and accepts it.

  npm run --silent prices -- <file> [--accept] [--source <text>] [--data <dir>]
  npm run --silent prices -- --take-back [--data <dir>]

  <file>           a copy of models.dev/api.json
  --accept         use it for new runs
  --take-back      use the prices of this version again for new runs
  --source <text>  where it comes from, as Settings says it (default: the file's name)
  --data <dir>     data directory of the running studio (default: .switchyard)
  --help           print this

A price that would fall to 0 is refused, and a model that is gone keeps its price. Recorded runs keep the prices they had.
For a hosted Supabase set SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY in the environment, in the place of --data. It exits with 0 when
the list was shown or accepted, with 1 when that failed, with 2 when it was not called correctly.`;
