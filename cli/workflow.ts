import { CommandFailure } from "./headless/command-failure.ts";
import { parseArguments } from "./headless/parse-arguments.ts";
import { flushed, printLine } from "./headless/print.ts";
import { usage } from "./usage/workflow.mjs";

/** `npm run workflow`: runs an exported workflow with the studio's engine. `usage` says how. */
async function main(): Promise<number> {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  process.once("SIGTERM", () => controller.abort());
  // A reader that goes away, such as `head`, ends the run instead of crashing it.
  process.stdout.on("error", () => controller.abort());
  try {
    const options = parseArguments(process.argv.slice(2));
    if (options === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    // The engine takes a second to load, which help and a mistyped option need not wait for.
    const { runCommand } = await import("./headless/run-command.ts");
    return await runCommand(options, controller.signal);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  }
}

const exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
// Connections kept for reuse would hold the process; everything has been written.
process.exit(exitCode);
