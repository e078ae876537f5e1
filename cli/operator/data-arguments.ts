import { CommandFailure } from "../headless/command-failure.ts";
import { userPath } from "../headless/read-file.ts";
import { readOptions } from "../headless/read-options.ts";

/** A place is a directory or the address of a server's database; other paths are absolute. */
export type DataCommand =
  | { verb: "copy"; from: string; to: string; data: string | undefined }
  | { verb: "backup"; folder: string; withKeys: boolean; data: string | undefined; database: string | undefined }
  | { verb: "verify"; folder: string }
  | {
      verb: "restore";
      folder: string;
      to: string;
      keys: string | undefined;
      compare: string | undefined;
      data: string | undefined;
      /** What STUDIO_DATABASE_URL names. */
      database: string | undefined;
    }
  | { verb: "resume"; data: string | undefined; database: string | undefined };

type Verb = DataCommand["verb"];

const takes: Record<Verb, readonly string[]> = {
  copy: ["from", "to", "data"],
  backup: ["with-keys", "data", "database"],
  verify: [],
  restore: ["to", "keys", "compare", "data"],
  resume: ["data", "database"],
};

const isVerb = (text: string): text is Verb => Object.hasOwn(takes, text);

const help = "Run it with --help to see how it is used.";

/** Reads the arguments; null asks for help. Throws CommandFailure. */
export function parseDataArguments(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): DataCommand | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const [verb, folder, ...more] = positionals;
  if (verb === undefined) throw new CommandFailure("Nothing was asked for.", help, 2);
  if (!isVerb(verb)) throw new CommandFailure(`There is no ${positionals.join(" ")}.`, help, 2);
  const foreign = Object.keys(values).find((name) => !takes[verb].includes(name));
  if (foreign !== undefined) throw new CommandFailure(`${verb} takes no --${foreign}.`, help, 2);
  const takesFolder = verb === "backup" || verb === "verify" || verb === "restore";
  const surplus = takesFolder ? more[0] : folder;
  if (surplus !== undefined) throw new CommandFailure(`${verb} does not know what to do with ${surplus}.`, help, 2);
  if (takesFolder && !folder) throw new CommandFailure(`${verb} needs a folder.`, help, 2);

  const pathOf = (name: "data" | "keys") => (values[name] === undefined ? undefined : userPath(values[name]));
  const placeOf = (name: "from" | "to" | "compare"): string => {
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
  const data = pathOf("data");
  const database = values.database ?? (environment["STUDIO_DATABASE_URL"] || undefined);
  const path = userPath(folder ?? ".");
  switch (verb) {
    case "copy": {
      const [from, to] = [placeOf("from"), placeOf("to")];
      if (from === to) throw new CommandFailure("--from and --to are the same.", "Name two places.", 2);
      return { verb, from, to, data };
    }
    case "backup":
      return { verb, folder: path, withKeys: values["with-keys"] ?? false, data, database };
    case "verify":
      return { verb, folder: path };
    case "restore": {
      const compare = values.compare === undefined ? undefined : placeOf("compare");
      return { verb, folder: path, to: placeOf("to"), keys: pathOf("keys"), compare, data, database };
    }
    case "resume":
      return { verb, data, database };
    default:
      return verb satisfies never;
  }
}

function parsed(args: readonly string[]) {
  return readOptions(
    args,
    {
      from: { type: "string" },
      to: { type: "string" },
      data: { type: "string" },
      database: { type: "string" },
      keys: { type: "string" },
      compare: { type: "string" },
      "with-keys": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    "Run it with --help.",
  );
}
