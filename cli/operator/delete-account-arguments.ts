import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

export interface DeleteAccountArguments {
  email: string;
  dryRun: boolean;
  yes: boolean;
  data?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseDeleteAccountArguments(argv: readonly string[]): DeleteAccountArguments | null {
  const { values, positionals } = read(argv);
  if (values.help === true) return null;
  const [email, ...more] = positionals;
  if (email === undefined) throw new CommandFailure("Which account? No e-mail address was given.", help, 2);
  if (more.length > 0) throw new CommandFailure(`One account at a time: ${more.join(" ")} was given as well.`, help, 2);
  if (!email.includes("@")) throw new CommandFailure(`${email} is not an e-mail address.`, help, 2);
  const { data } = values;
  return {
    email,
    dryRun: values["dry-run"] === true,
    yes: values.yes === true,
    ...(data === undefined ? {} : { data }),
  };
}

function read(argv: readonly string[]) {
  return readOptions(
    argv,
    {
      help: { type: "boolean", short: "h" },
      data: { type: "string" },
      "dry-run": { type: "boolean" },
      yes: { type: "boolean", short: "y" },
    },
    help,
  );
}
