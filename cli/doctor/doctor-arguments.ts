import { isServerAddress } from "../../supabase/local/database/postgres/server-address.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

export interface DoctorArguments {
  project?: { url: string; key: string };
  /** Origin and path of the studio's site, without a slash at the end. */
  site?: string;
  database?: string;
  /** The private JWK with which workers sign. */
  signingKey?: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseDoctorArguments(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): DoctorArguments | null {
  const { values, positionals } = readOptions(
    argv,
    {
      help: { type: "boolean", short: "h" },
      url: { type: "string" },
      key: { type: "string" },
      site: { type: "string" },
      "database-url": { type: "string" },
    },
    help,
  );
  if (values.help === true) return null;
  if (positionals.length > 0) throw new CommandFailure(`Nothing is called ${positionals[0]}.`, help, 2);
  const { "database-url": database } = values;
  const key = values.key ?? environment["SUPABASE_KEY"];
  if (values.url === undefined && database === undefined) {
    throw new CommandFailure("What should be checked? Neither --url nor --database-url was given.", help, 2);
  }
  if (values.url === undefined && values.site !== undefined) {
    throw new CommandFailure("--site goes with the project of --url, which is missing.", help, 2);
  }
  if (values.url !== undefined && !key) {
    throw new CommandFailure("--key is missing.", "Give the publishable key of the project (Settings → API keys).", 2);
  }
  const signingKey = environment["SUPABASE_JWT_KEY"];
  return {
    ...(values.url === undefined ? {} : { project: { url: address(values.url, "--url"), key: key ?? "" } }),
    ...(values.site === undefined ? {} : { site: address(values.site, "--site") }),
    ...(database === undefined ? {} : { database: databaseAddress(database, environment) }),
    ...(signingKey ? { signingKey } : {}),
  };
}

function address(text: string, option: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["http:", "https:"].includes(url.protocol))
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  throw new CommandFailure(`${option} takes an address such as https://studio.example.com, not ${text}.`, help, 2);
}

function databaseAddress(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  const named = text === "database" ? environment["STUDIO_DATABASE_URL"] : text;
  if (!named) {
    throw new CommandFailure("database stands for the address in STUDIO_DATABASE_URL, which is not set.", help, 2);
  }
  if (!isServerAddress(named)) {
    throw new CommandFailure(
      "--database-url takes an address such as postgres://user:password@host:5432/database.",
      help,
      2,
    );
  }
  return named;
}
