import { parseArgs, type ParseArgsConfig } from "node:util";
import { CommandFailure } from "./command-failure.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options and positionals of a command line. Throws CommandFailure with exit code 2 and `hint` for what it does not know. */
export function readOptions<const Known extends Options>(argv: readonly string[], options: Known, hint: string) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), hint, 2);
  }
}
