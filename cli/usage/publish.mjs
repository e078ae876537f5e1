/** What `npm run publish -- --help` prints. Plain JavaScript: it is shown before anything is installed. */
export const usage = `
Publishes a workflow file in the studio that runs on this machine.

  npm run --silent publish -- <workflow.json> [options]

  --data <dir>          the studio's data directory            (default .switchyard)
  --slug <address>      what commands and programs call it     (default from its name)
  --note <text>         what is new, for the list of versions
  --target <name>       live or staging                        (default live)
  --schedule "<cron>"   when it starts by itself, such as "0 8 * * 1-5"
  --time-zone <zone>    of the schedule, such as Europe/Berlin (default this machine's)
  --skip-tests          publish although a suite that has to pass has not
  --account <address>   whose it becomes, where several have signed up

The workflow is made in the account, or brought up to date where its id or its address is known there. Credentials are
named by their ids, as in the studio. Suites of the workflow that block publishing must have passed on exactly this version: run
them in the studio. Prints { "workflowId", "version", "slug", "target", "unchanged", "url", "warnings"? }.
Exit codes: 0 published, 1 refused, 2 not understood.
`;
