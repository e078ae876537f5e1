import { parseEvaluateArguments } from "./evaluate/arguments.ts";
import { usage } from "./usage/evaluate.mjs";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";

/** `npm run evaluate`: `usage` says how. */
async function main(): Promise<number> {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  process.once("SIGTERM", () => controller.abort());
  try {
    const argv = process.argv.slice(2);
    if (argv.includes("--import")) {
      const { importSuite, parseImportArguments } = await import("./evaluate/import-suite.ts");
      return await importSuite(parseImportArguments(argv));
    }
    const options = parseEvaluateArguments(argv);
    if (options === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    // The nodes take a second to load, which help and a mistyped option need not wait for.
    const { evaluateSuite } = await import("./evaluate/evaluate-suite.ts");
    return await evaluateSuite(options, controller.signal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    // 1 says that the gate failed.
    return error.exitCode === 1 ? 4 : error.exitCode;
  }
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
// Connections kept for reuse would hold the process; everything has been written.
process.exit(exitCode);
