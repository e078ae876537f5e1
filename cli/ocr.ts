import { scanLanguages } from "../src/documents/scan/scan-languages.ts";
import { installedIn } from "../worker/runtime/scans-in-node.ts";
import { CommandFailure } from "./headless/command-failure.ts";
import { flushed, printLine } from "./headless/print.ts";
import { parseOcrArguments } from "./ocr/arguments.ts";
import { copyScanFiles } from "./ocr/copy-scan-files.ts";
import { withPackages } from "./ocr/with-packages.ts";
import { usage } from "./usage/ocr.mjs";

/** `npm run ocr`; `usage` says how it is used. */
async function main(): Promise<number> {
  try {
    const command = parseOcrArguments(process.argv.slice(2));
    if (command === null) {
      await printLine(usage.trimEnd());
      return 0;
    }
    const { languages, folder } = command;
    if (languages.length > 0) {
      await printLine("Loading text recognition from npm …", process.stderr);
      await withPackages(languages, (packages) => copyScanFiles(packages, folder, languages));
    }
    const installed = await installedIn(folder);
    const names = installed.map((language) => scanLanguages[language].label).join(", ");
    await printLine(
      installed.length > 0
        ? `Text recognition is installed in ${folder}: ${names}`
        : "Text recognition is not installed.",
    );
    return 0;
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
