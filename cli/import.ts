import { usage } from "./usage/import.mjs";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";
import { readOptions } from "./headless/read-options.ts";

/** `npm run import`: `usage` says how. */
async function main(): Promise<number> {
  try {
    const { values, positionals } = parsed();
    const [path, ...more] = positionals;
    if (values.help) {
      await printLine(usage.trimEnd());
      return 0;
    }
    const help = "Run it with --help to see how it is used.";
    if (path === undefined) throw new CommandFailure("No file or folder was named.", help, 2);
    if (more.length > 0) throw new CommandFailure(`There is one path too many: ${more.join(" ")}`, help, 2);
    // The nodes take a second to load, which help and a mistyped option need not wait for.
    const { importFiles } = await import("./moving/import-files.ts");
    return await importFiles({ path, out: values.out, json: values.json ?? false });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  }
}

function parsed() {
  return readOptions(
    process.argv.slice(2),
    { out: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    "Run it with --help.",
  );
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
process.exit(exitCode);
