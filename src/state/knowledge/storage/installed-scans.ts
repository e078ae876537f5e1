import { scanLanguages } from "../../../documents/scan/scan-languages.ts";
import { scanLanguagesOfSite } from "../../../documents/scan/scans-in-browser.ts";

/** The names of the languages that scans are read in here; none where text recognition is not installed. */
export async function installedScans(): Promise<string[]> {
  return (await scanLanguagesOfSite()).map((language) => scanLanguages[language].label);
}
