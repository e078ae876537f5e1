import { z } from "zod/mini";
import { isScanLanguage, scanLanguages, type ScanLanguage } from "./scan-languages.ts";

/** Files of text recognition, in the folder where it is installed and at the address where a studio serves it. */
export const scanFiles = {
  /** Says which languages there are. */
  list: "installed.json",
  /** The code of Tesseract, as a module for browsers and as one of CommonJS for Node. */
  module: "recognizer.mjs",
  common: "recognizer.cjs",
  wasm: "recognizer.wasm",
} as const;

/** The packed data of a language. */
export const languageFile = (language: ScanLanguage) => `${scanLanguages[language].data}.traineddata.gz`;

const listSchema = z.object({ languages: z.array(z.string()) });

/** The languages that `installed.json` names; none of what is not such a file. */
export function readInstalled(text: string): ScanLanguage[] {
  try {
    return listSchema.parse(JSON.parse(text)).languages.filter(isScanLanguage);
  } catch {
    return [];
  }
}
