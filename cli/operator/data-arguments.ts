import { CommandFailure } from "../headless/command-failure.ts";
import { userPath } from "../headless/read-file.ts";
import { readOptions } from "../headless/read-options.ts";

export const dataUsage = `Copies all data of a studio into an empty database, and the keys with them. Stop the studio first.

  npm run data -- copy --from <place> --to <place> [--data <dir>]

  --from, --to <place>  a data directory of \`npm start\`, or a database on a server: postgres://user:password@host/database;
                        the word database means the address in STUDIO_DATABASE_URL
  --data <dir>          the data directory whose keys.json is used with the server's database
                        (default: the directory named by --from; from a server .switchyard)
  --help                print this

Accounts, sessions, workflows, versions, runs, conversations, documents and sealed credentials are copied in one transaction, which
is kept only if every table has the same number of rows and the same checksum on both sides. The source stays as it is. A target
that holds rows is refused. Keys: into a directory keys.json is copied; a database on a server is used with that of --data.
Exit codes: 0 copied, 1 refused, 2 not understood.
`;

export interface DataOptions {
  /** A directory, or the address of a server's database. */
  from: string;
  to: string;
  data: string | undefined;
}

/** Reads the arguments; null asks for help. Throws CommandFailure. */
export function parseDataArguments(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): DataOptions | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const help = "Run it with --help to see how it is used.";
  const [verb, ...more] = positionals;
  if (verb !== "copy" || more.length > 0) {
    throw new CommandFailure(
      verb === undefined ? "Nothing was asked for." : `There is no ${positionals.join(" ")}.`,
      help,
      2,
    );
  }
  const place = (name: "from" | "to"): string => {
    const text = values[name];
    if (text === undefined || text === "") throw new CommandFailure(`--${name} is missing.`, help, 2);
    if (/^postgres(ql)?:/i.test(text)) return text;
    if (text !== "database") return userPath(text);
    const address = environment["STUDIO_DATABASE_URL"];
    if (address) return address;
    throw new CommandFailure(
      `--${name} database means the address in STUDIO_DATABASE_URL, which is not set.`,
      "Set it, or name a directory of that name as ./database.",
      2,
    );
  };
  const options = {
    from: place("from"),
    to: place("to"),
    data: values.data === undefined ? undefined : userPath(values.data),
  };
  if (options.from === options.to) throw new CommandFailure("--from and --to are the same.", "Name two places.", 2);
  return options;
}

function parsed(args: readonly string[]) {
  return readOptions(
    args,
    {
      from: { type: "string" },
      to: { type: "string" },
      data: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    "Run it with --help.",
  );
}
