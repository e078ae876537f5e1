import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";

/** What a command of the operator is made of. `parse` gives null where help is asked for. */
interface Command<Options> {
  usage: string;
  parse(args: readonly string[]): Options | null;
  run(options: Options): Promise<void>;
}

/** Runs it with the arguments of the process, says what went wrong, and ends the process with its exit code. */
export async function runOperatorCommand<Options>({ usage, parse, run }: Command<Options>): Promise<never> {
  const exitCode = await exitCodeOf(async () => {
    const options = parse(process.argv.slice(2));
    if (options === null) await printLine(usage);
    else await run(options);
  });
  await flushed(process.stdout);
  await flushed(process.stderr);
  return process.exit(exitCode);
}

async function exitCodeOf(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await printLine(`${error.message}\n  ${error.hint}`, process.stderr);
    return error.exitCode;
  }
}
