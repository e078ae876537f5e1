import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";
import { addFolder } from "./knowledge/add-folder.ts";
import { parseKnowledgeArguments } from "./knowledge/arguments.ts";
import { usage } from "./usage/knowledge.mjs";

/** `npm run knowledge`; `usage` says how it is used. */
async function main(): Promise<number> {
  try {
    const command = parseKnowledgeArguments(process.argv.slice(2));
    if (command === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    return await addFolder(command, (line) => printLine(line));
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
