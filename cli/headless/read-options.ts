import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestName } from "../../src/engine/template/nearest-name.ts";
import { CommandFailure } from "./command-failure.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The options and positionals of a command line. Throws CommandFailure with exit code 2 and `hint` for what it does not know. */
export function readOptions<const Known extends Options>(argv: readonly string[], options: Known, hint: string) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
    const near = unknown === undefined ? undefined : nearestName(unknown, Object.keys(options));
    throw new CommandFailure(message, near === undefined ? hint : `Did you mean --${near}? ${hint}`, 2);
  }
}
