import { usage } from "./usage/runs.mjs";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";
import { parseRunsArguments } from "./operator/runs-arguments.ts";
import { runsCommand } from "./operator/runs-command.ts";

/** `npm run runs`; `usage` says how it is used. */
async function main(): Promise<number> {
  try {
    const command = parseRunsArguments(process.argv.slice(2));
    if (command === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    return await runsCommand(command);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  }
}

process.exitCode = await main();
await flushed(process.stdout);
await flushed(process.stderr);
process.exit();
