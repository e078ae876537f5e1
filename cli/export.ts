import { usage } from "./usage/export.mjs";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { exportTargets } from "../src/export/export-target.ts";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine, printNotes } from "./headless/print.ts";
import { readJsonFile, userPath } from "./headless/read-file.ts";
import { readOptions } from "./headless/read-options.ts";

const help = "Run it with --help to see how it is used.";

/** `npm run export`: `usage` says how. */
async function main(): Promise<number> {
  try {
    const { values, positionals } = parsed();
    if (values.help) {
      await printLine(usage.trimEnd());
      return 0;
    }
    const [path, ...more] = positionals;
    if (path === undefined) throw new CommandFailure("No workflow file was named.", help, 2);
    if (more.length > 0) throw new CommandFailure(`Unexpected extra workflow file: ${more.join(" ")}`, help, 2);
    const target = exportTargets.find((name) => name === values.to);
    if (target === undefined) {
      const message = values.to === undefined ? "No library was named." : `There is no export to "${values.to}".`;
      throw new CommandFailure(message, `Name one with --to: ${exportTargets.join(" or ")}.`, 2);
    }
    await write(path, target, values.out);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  }
}

async function write(path: string, target: (typeof exportTargets)[number], out: string | undefined): Promise<void> {
  // The nodes take a second to load, which help and a mistyped option need not wait for.
  const { exportCode } = await import("../src/export/export-code.ts");
  const { readDocument } = await import("../src/engine/document/read-document.ts");
  const { nodeRegistry } = await import("../src/nodes/index.ts");
  const read = readDocument(await readJsonFile(path, "workflow file"), nodeRegistry, randomUUID);
  if (!read.ok) throw new CommandFailure("The workflow file cannot be used.", read.problems.join("\n  "));
  await printNotes(read.notes);
  const isTrigger = ({ type, disabled }: { type: string; disabled?: boolean | undefined }) =>
    disabled !== true && nodeRegistry[type]?.role === "trigger";
  if (!Object.values(read.document.nodes).some(isTrigger)) {
    throw new CommandFailure(
      "The workflow has no trigger, so it does nothing.",
      "Add one in the studio, then export it again.",
    );
  }
  const { code, packages, notes } = exportCode(read.document, { target, registry: nodeRegistry });
  if (out === undefined) return printLine(code.trimEnd());
  const file = userPath(out);
  await writeFile(file, code).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The program cannot be written: ${why}.`, "Name a file in a folder that exists.");
  });
  const install = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const counted = notes.length === 1 ? "1 thing is" : `${notes.length} things are`;
  const said = notes.length === 0 ? "" : ` ${counted} not as in the studio: see its first lines.`;
  await printLine(`Written to ${out}. Install ${install.join(" ")}.${said}`, process.stderr);
}

function parsed() {
  return readOptions(
    process.argv.slice(2),
    { to: { type: "string" }, out: { type: "string" }, help: { type: "boolean", short: "h" } },
    help,
  );
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
process.exit(exitCode);
