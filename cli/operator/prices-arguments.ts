import { basename } from "node:path";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

type PricesArguments =
  | { file: string; accept: boolean; source: string; data?: string }
  | { takeBack: true; data?: string };

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parsePricesArguments(argv: readonly string[]): PricesArguments | null {
  const { values, positionals } = readOptions(
    argv,
    {
      help: { type: "boolean", short: "h" },
      accept: { type: "boolean" },
      "take-back": { type: "boolean" },
      source: { type: "string" },
      data: { type: "string" },
    },
    help,
  );
  if (values.help === true) return null;
  const [file, ...more] = positionals;
  const studio = values.data === undefined ? {} : { data: values.data };
  if (values["take-back"] === true) {
    if (file !== undefined || values.accept === true)
      throw new CommandFailure("--take-back goes without a file and without --accept.", help, 2);
    return { takeBack: true, ...studio };
  }
  if (file === undefined) throw new CommandFailure("Which list? No file was given.", help, 2);
  if (more.length > 0) throw new CommandFailure(`One file at a time: ${more.join(" ")} was given as well.`, help, 2);
  const { source = basename(file) } = values;
  return { file, accept: values.accept === true, source, ...studio };
}
