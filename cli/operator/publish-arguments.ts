import { type PublishTarget, publishTargets } from "../../src/services/publications.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

export const publishUsage = `
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

export interface PublishArguments {
  /** The file as it was named. */
  file: string;
  data?: string;
  slug?: string;
  note: string;
  target: PublishTarget;
  schedule?: { cron: string; timeZone: string };
  skipTests: boolean;
  account?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parsePublishArguments(argv: readonly string[]): PublishArguments | null {
  const { values, positionals } = read(argv);
  if (values.help === true) return null;
  const [file, ...more] = positionals;
  if (file === undefined) throw new CommandFailure("No workflow file was named.", help, 2);
  if (more.length > 0) throw new CommandFailure(`Unexpected extra workflow file: ${more.join(" ")}`, help, 2);
  const target = publishTargets.find((name) => name === (values.target ?? "live"));
  if (target === undefined) {
    throw new CommandFailure(`There is no target "${values.target}".`, "Use --target live or --target staging.", 2);
  }
  const { data, slug, schedule, account } = values;
  if (schedule === undefined && values["time-zone"] !== undefined) {
    throw new CommandFailure("--time-zone needs --schedule.", help, 2);
  }
  const timeZone = values["time-zone"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    file,
    note: values.note ?? "",
    target,
    skipTests: values["skip-tests"] === true,
    ...(data === undefined ? {} : { data }),
    ...(slug === undefined ? {} : { slug }),
    ...(account === undefined ? {} : { account }),
    ...(schedule === undefined ? {} : { schedule: { cron: schedule, timeZone } }),
  };
}

function read(argv: readonly string[]) {
  const text = { type: "string" } as const;
  return readOptions(
    argv,
    {
      help: { type: "boolean", short: "h" },
      data: text,
      slug: text,
      note: text,
      target: text,
      schedule: text,
      "time-zone": text,
      "skip-tests": { type: "boolean" },
      account: text,
    },
    help,
  );
}
