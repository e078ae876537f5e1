import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { languageFile, readInstalled, scanFiles } from "../../src/documents/scan/installed-scans.ts";
import { openRecognizer, type Recognizer, type StartTesseract } from "../../src/documents/scan/recognizer.ts";
import { notInstalled } from "../../src/documents/scan/scan-errors.ts";
import type { OpenScans } from "../../src/documents/scan/scan-reader.ts";
import type { ScanLanguage } from "../../src/documents/scan/scan-languages.ts";

const unpack = promisify(gunzip);

/** The recognizer that this thread has used last: loading one takes a second. */
let last: { languages: string; recognizer: Promise<Recognizer> } | undefined;

/** Text recognition that is installed in `folder`, in this thread; `onPage` is called before each page. */
export function openScansIn(folder: string, onPage: () => void): OpenScans {
  return async () => {
    const languages = await installedIn(folder);
    if (languages.length === 0) throw notInstalled();
    return {
      async read(picture) {
        onPage();
        const recognize = await recognizerFor(folder, languages);
        try {
          return recognize(picture);
        } catch (error) {
          // Without memory it is of no more use.
          last = undefined;
          throw error;
        }
      },
    };
  };
}

/** The languages that are installed in a folder. */
export async function installedIn(folder: string): Promise<ScanLanguage[]> {
  return readInstalled(await readFile(join(folder, scanFiles.list), "utf8").catch(() => ""));
}

function recognizerFor(folder: string, languages: readonly ScanLanguage[]): Promise<Recognizer> {
  const names = languages.join("+");
  if (last?.languages === names) return last.recognizer;
  const recognizer = loadRecognizer(folder, languages);
  // One that could not be loaded is loaded again.
  recognizer.catch(() => (last = undefined));
  last = { languages: names, recognizer };
  return recognizer;
}

/** Text recognition for some of the languages that are installed in a folder. */
export function loadRecognizer(folder: string, languages: readonly ScanLanguage[]): Promise<Recognizer> {
  const require = createRequire(join(folder, sep));
  return openRecognizer(languages, {
    start: require(`./${scanFiles.common}`) as StartTesseract,
    wasm: () => readFile(join(folder, scanFiles.wasm)),
    languageData: async (language) => unpack(await readFile(join(folder, languageFile(language)))),
  });
}
