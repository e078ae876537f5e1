import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

export const deleteAccountUsage = `Deletes an account of a running studio, with everything that it owns. It cannot be undone.

  npm run --silent delete-account -- <e-mail> [--dry-run] [--yes] [--data <dir>]

  <e-mail>       the account's address, also that of a guest
  --dry-run      list what the account holds, and delete nothing
  --yes          delete without asking, for scripts
  --data <dir>   data directory of the studio (default: .switchyard)
  --help         print this

What the account holds is listed first. Once that is confirmed, nobody can use the account any more, and its runs on the server stop.
Then its rows are deleted while the studio goes on serving others; should the studio stop meanwhile, its next start goes on.
Run it as the user who may read the data directory. It exits with 0 when everything is gone, or was listed; with 1 when that
failed or was not confirmed; with 2 when it was not called correctly.`;

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
