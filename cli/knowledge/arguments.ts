import { resolve } from "node:path";
import { type MetadataChange, readMetadata, typedValue } from "../../src/engine/knowledge/document-metadata.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";
import { type RemoteStudio, remoteStudio } from "../operator/remote-studio.ts";

/** What to bring where. */
export interface AddCommand {
  /** An absolute path. */
  folder: string;
  collection: string;
  wait: boolean;
  dryRun: boolean;
  /** For every document; empty where nothing is given. */
  metadata: MetadataChange;
  studio: RemoteStudio;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseKnowledgeArguments(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): AddCommand | null {
  const { values, positionals } = readOptions(
    argv,
    {
      collection: { type: "string" },
      wait: { type: "boolean" },
      "dry-run": { type: "boolean" },
      meta: { type: "string", multiple: true },
      url: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    help,
  );
  if (values.help) return null;
  const [action, folder, ...more] = positionals;
  if (action === undefined) throw new CommandFailure("No command was given.", help, 2);
  if (action !== "add") throw new CommandFailure(`There is no command ${action}.`, help, 2);
  if (folder === undefined) throw new CommandFailure("No folder was given.", help, 2);
  if (more.length > 0) throw new CommandFailure(`Unexpected extra argument: ${more.join(" ")}`, help, 2);
  const { collection } = values;
  if (collection === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(collection)) {
    const what = collection === undefined ? "No collection was given." : `${collection} is not a collection's id.`;
    throw new CommandFailure(what, "Set --collection to the id in the address of the collection's page.", 2);
  }
  // npm moves to the project's root and keeps the place in INIT_CWD.
  const typedIn = environment["npm_lifecycle_event"] === "knowledge" ? environment["INIT_CWD"] : undefined;
  return {
    folder: resolve(typedIn ?? process.cwd(), folder),
    collection,
    wait: values.wait ?? false,
    dryRun: values["dry-run"] ?? false,
    metadata: readMeta(values.meta ?? []),
    studio: remoteStudio(values.url ?? "http://127.0.0.1:4700", environment),
  };
}

/** `team=sales` as metadata; `team=` removes the field. Throws CommandFailure with exit code 2. */
function readMeta(pairs: readonly string[]): MetadataChange {
  const given = pairs.map((pair): [string, string | number | boolean | null] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      throw new CommandFailure(`--meta ${pair} is not a name with a value.`, "Write it like --meta team=sales.", 2);
    }
    return [name.trim(), value.trim() === "" ? null : typedValue(value)];
  });
  const read = readMetadata(Object.fromEntries(given));
  if (!read.ok) throw new CommandFailure(read.message, read.hint, 2);
  return read.metadata;
}
