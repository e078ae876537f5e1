import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";
import { splitCommand } from "./split-command.mjs";

/** What `npm run mcp-bridge` is asked for. */
export interface BridgeArguments {
  /** 0 takes a free one. */
  port: number;
  command: string;
  args: string[];
  /** Where the command runs. */
  directory: string;
}

const help = "Run it with --help to see how it is used.";

/**
 * Reads the command line; null when help was asked for. All from the command on is the command's own. Throws CommandFailure with
 * exit code 2.
 */
export function parseBridgeArguments(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): BridgeArguments | null {
  const { options, command: given } = splitCommand(argv);
  const known = { port: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
  const { values } = readOptions(options, known, help);
  if (values.help) return null;
  const [command, ...args] = given;
  if (command === undefined || command === "") throw new CommandFailure("No command was given.", help, 2);
  const { port = "0" } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new CommandFailure(`--port takes no ${port}.`, "Give it a number from 0 to 65535.", 2);
  }
  // npm moves to the project's root and keeps the place in INIT_CWD.
  const typedIn = environment["npm_lifecycle_event"] === "mcp-bridge" ? environment["INIT_CWD"] : undefined;
  return { port: Number(port), command, args, directory: typedIn ?? process.cwd() };
}
