import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { languageFile, scanFiles } from "../../src/documents/scan/installed-scans.ts";
import { isScanLanguage, type ScanLanguage, scanLanguages } from "../../src/documents/scan/scan-languages.ts";
import { installedIn } from "../../worker/runtime/scans-in-node.ts";
import { CommandFailure } from "../headless/command-failure.ts";
import { corePackage, languagePackage } from "./scan-packages.ts";

/** Puts what of the packages is used into `folder`, with the languages that are there already. Throws a CommandFailure where it cannot. */
export async function copyScanFiles(
  packages: string,
  folder: string,
  languages: readonly ScanLanguage[],
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const core = join(packages, corePackage.name, "tesseract-core-simd-lstm");
    const code = await readFile(`${core}.js`, "utf8");
    await writeFile(join(folder, scanFiles.common), code);
    await writeFile(join(folder, scanFiles.module), `${code}\nexport default TesseractCore;\n`);
    await copyFile(`${core}.wasm`, join(folder, scanFiles.wasm));
    for (const language of languages) {
      const data = join(packages, languagePackage(language).name, "4.0.0_best_int");
      await copyFile(join(data, languageFile(language)), join(folder, languageFile(language)));
    }
    const held = new Set([...(await installedIn(folder)), ...languages]);
    const all = Object.keys(scanLanguages).filter(isScanLanguage);
    // Last: what it names is there.
    await writeFile(join(folder, scanFiles.list), JSON.stringify({ languages: all.filter((each) => held.has(each)) }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`Text recognition could not be put into ${folder}: ${reason}`, "Check its permissions.");
  }
}
