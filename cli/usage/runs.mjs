/** What `npm run runs -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `Starts and shows runs of published workflows, by way of the studio that runs with a data directory, or of one elsewhere.

  npm run --silent runs -- start <slug> [options]
  npm run --silent runs -- status <id>
  npm run --silent runs -- cancel <id>
  npm run --silent runs -- events <id> [--follow]

  --input <json>      what the trigger gets: JSON, @file, or - for standard input (default {});
                      a chat trigger wants { "message": "…", "sessionId": "…" }
  --wait              print the run once it has ended
  --target <version>  live, staging or the number of a version (default live)
  --key <text>        starting with the same key again gives the same run
  --follow            print events until the run has ended
  --data <dir>        data directory of the studio (default .switchyard)
  --url <address>     a studio elsewhere, such as https://studio.example.com; of a hosted one
                      https://<project>.supabase.co/functions/v1/doors. SWITCHYARD_API_KEY holds an API key of its
                      settings; the events of the log need one that may read runs
  --help              show this text

start, status and cancel print { "id", "status", "output"?, "error"? }; events prints a line of JSON for each. Exit code 0;
1 when the run failed or was cancelled, or the studio cannot be reached; 2 when the command was not understood.
`;
