import { type PublishTarget, publishTargets } from "../../src/services/publications.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

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
