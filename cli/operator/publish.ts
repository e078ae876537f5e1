import { usage } from "../usage/publish.mjs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailure } from "../headless/command-failure.ts";
import { flushed, printLine } from "../headless/print.ts";
import { userPath } from "../headless/read-file.ts";
import { parsePublishArguments } from "./publish-arguments.ts";

/** `npm run publish`: `usage` says how. */
async function main(): Promise<number> {
  try {
    const options = parsePublishArguments(process.argv.slice(2));
    if (options === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    // The engine takes a second to load, which help and a mistyped option need not wait for.
    const [{ openStudio }, { publishFile }] = await Promise.all([
      import("./open-studio.ts"),
      import("./publish-file.ts"),
    ]);
    const { data, ...rest } = options;
    const usual = resolve(fileURLToPath(new URL("../..", import.meta.url)), ".switchyard");
    const studio = await openStudio(data === undefined ? usual : userPath(data));
    await printLine(JSON.stringify(await publishFile(studio, rest)));
    return 0;
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
