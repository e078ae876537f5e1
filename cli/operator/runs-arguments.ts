import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";
import { type RemoteStudio, remoteStudio } from "./remote-studio.ts";

/** A command and its studio: the one with a data directory, or one elsewhere. */
export type RunsCommand = { data: string; remote?: RemoteStudio } & (
  | { action: "start"; slug: string; input: string; wait: boolean; target: string; key: string | undefined }
  | { action: "status" | "cancel"; id: string }
  | { action: "events"; id: string; follow: boolean }
);

const help = "Run it with --help to see how it is used.";
const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseRunsArguments(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): RunsCommand | null {
  const { values, positionals } = read(argv);
  if (values.help) return null;
  const [action = "", name, ...more] = positionals;
  if (more.length > 0) throw new CommandFailure(`Unexpected extra argument: ${more.join(" ")}`, help, 2);
  // npm moves to the project's root and keeps the place in INIT_CWD.
  const typedIn = environment["npm_lifecycle_event"] === "runs" ? environment["INIT_CWD"] : undefined;
  const data =
    values.data === undefined ? resolve(projectRoot, ".switchyard") : resolve(typedIn ?? process.cwd(), values.data);
  const remote = values.url === undefined ? undefined : remoteStudio(values.url, environment);
  if (remote && values.data !== undefined) throw new CommandFailure("Give --data or --url, not both.", help, 2);
  const studio = remote ? { data, remote } : { data };
  switch (action) {
    case "start": {
      if (name === undefined) throw new CommandFailure("No workflow was named.", help, 2);
      const { input = "{}", wait = false, target = "live", key } = values;
      if (!/^(live|staging|[1-9]\d{0,8})$/.test(target)) {
        throw new CommandFailure(
          `--target takes no ${target}.`,
          "Give it live, staging or the number of a version.",
          2,
        );
      }
      return { action, slug: name, input, wait, target, key, ...studio };
    }
    case "status":
    case "cancel":
      return { action, id: idOf(name), ...studio };
    case "events":
      return { action, id: idOf(name), follow: values.follow ?? false, ...studio };
    default:
      throw new CommandFailure(action === "" ? "No command was given." : `There is no command ${action}.`, help, 2);
  }
}

function idOf(text: string | undefined): string {
  if (text === undefined) throw new CommandFailure("No run was named.", help, 2);
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new CommandFailure(`${text} is not a run ID.`, "`runs start` prints the id of the run that it started.", 2);
}

function read(argv: readonly string[]) {
  return readOptions(
    argv,
    {
      input: { type: "string" },
      wait: { type: "boolean" },
      target: { type: "string" },
      key: { type: "string" },
      follow: { type: "boolean" },
      data: { type: "string" },
      url: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    help,
  );
}
