import { resolve } from "node:path";
import { isScanLanguage, type ScanLanguage, scanLanguages } from "../../src/documents/scan/scan-languages.ts";
import { scanFolder } from "../../worker/scan-folder.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { readOptions } from "../headless/read-options.ts";

/** What to install where. */
interface OcrCommand {
  /** None: what is installed is only listed. */
  languages: ScanLanguage[];
  folder: string;
}

const help = "Run it with --help to see how it is used.";

/** Reads the command line; null when help was asked for. Throws CommandFailure with exit code 2. */
export function parseOcrArguments(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): OcrCommand | null {
  const { values, positionals } = readOptions(
    argv,
    { to: { type: "string" }, help: { type: "boolean", short: "h" } },
    help,
  );
  if (values.help) return null;
  const [action, ...names] = positionals;
  if (action === undefined) throw new CommandFailure("No command was given.", help, 2);
  if (action !== "install" && action !== "list") throw new CommandFailure(`There is no command ${action}.`, help, 2);
  if (action === "list" && names.length > 0) {
    throw new CommandFailure(`Unexpected extra argument: ${names.join(" ")}`, help, 2);
  }
  if (action === "install" && names.length === 0) throw new CommandFailure("No language was given.", help, 2);
  const unknown = names.find((name) => !isScanLanguage(name));
  if (unknown !== undefined) {
    const known = `The languages are ${Object.keys(scanLanguages).join(", ")}.`;
    throw new CommandFailure(`There is no language ${unknown}.`, known, 2);
  }
  // npm moves to the project's root and keeps the place in INIT_CWD.
  const typedIn = environment["npm_lifecycle_event"] === "ocr" ? environment["INIT_CWD"] : undefined;
  const folder = values.to === undefined ? scanFolder() : resolve(typedIn ?? process.cwd(), values.to);
  return { languages: names.filter(isScanLanguage), folder };
}
