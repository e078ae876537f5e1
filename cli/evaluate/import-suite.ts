import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countParts, type ImportedSuite } from "../../src/evaluation/import/imported-suite.ts";
import { readConfig } from "../../src/evaluation/import/read-config.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { printLine } from "../headless/print.ts";
import { userPath } from "../headless/read-file.ts";
import { readText } from "./suite-files.ts";

/** A config of another tool, and where its suite goes. */
interface ImportArguments {
  file: string;
  /** Rows of an eval, one JSON object a line. */
  data?: string;
  to: string;
  json: boolean;
}

const help = "Run it with --help to see how it is used.";

/** Reads `--import <file> --to <folder>`. Throws CommandFailure with exit code 2. */
export function parseImportArguments(argv: readonly string[]): ImportArguments {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        import: { type: "string" },
        data: { type: "string" },
        to: { type: "string" },
        json: { type: "boolean" },
      },
    });
    const { import: file, data, to, json = false } = values;
    if (file === undefined || to === undefined) throw new Error("--import needs --to, the folder for the suite.");
    return { file, to, json, ...(data === undefined ? {} : { data }) };
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), help, 2);
  }
}

/**
 * Makes a suite of a promptfoo config or an eval of OpenAI, and reports what became of each part. Nothing in it is run. Gives the exit
 * code; throws CommandFailure.
 */
export async function importSuite({ file, data, to, json }: ImportArguments): Promise<number> {
  const config = { name: file, text: await readText(userPath(file), "config") };
  const rows = data === undefined ? undefined : { name: data, text: await readText(userPath(data), "data") };
  const read = readConfig(config, rows);
  if (!read.ok) throw new CommandFailure(read.problem, read.hint, 2);
  const { imported } = read;
  const folder = userPath(to);
  await mkdir(folder, { recursive: true });
  await write(join(folder, "imported.suite.json"), `${JSON.stringify(imported.suite, null, 2)}\n`);
  await write(join(folder, "cases.jsonl"), imported.cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  await printLine(json ? JSON.stringify(report(file, imported)) : summary(file, to, imported));
  return 0;
}

/** What is printed with --json; a contract for programs. */
function report(file: string, { format, cases, parts }: ImportedSuite) {
  const { "left-out": leftOut, ...counts } = countParts(parts);
  return { file, format, cases: cases.length, ...counts, leftOut, parts };
}

function summary(file: string, to: string, imported: ImportedSuite): string {
  const { format, cases, mapped, approximated, leftOut, parts } = report(file, imported);
  const lines = parts
    .filter(({ outcome }) => outcome !== "mapped")
    .map(({ place, what, outcome, note }) => `    ${place} (${what}): ${outcome.replace("-", " ")}. ${note}`);
  return [
    `${file} (${format}): ${cases} cases; ${mapped} parts mapped, ${approximated} approximated, ${leftOut} left out`,
    ...lines,
    `Export the workflow to ${join(to, "workflow.json")}, then run ${join(to, "imported.suite.json")}.`,
  ].join("\n");
}

/** What is there already stays. */
async function write(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch((error: unknown) => {
    const reason =
      error instanceof Error && "code" in error && error.code === "EEXIST" ? "it is there already." : String(error);
    throw new CommandFailure(`${path} cannot be written: ${reason}`, "Name another folder with --to.");
  });
}
