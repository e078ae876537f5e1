import { scanLanguages, type ScanLanguage } from "./scan-languages.ts";
import { DocumentError } from "../document-error.ts";
import { type ScanLine, scanLines } from "./scan-lines.ts";
import type { ScanPicture } from "./scan-reader.ts";

/** What of Tesseract, compiled to WebAssembly, is used here. Source: tesseract.js-core 7.0.0. */
interface Tesseract {
  FS: { writeFile(path: string, content: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TesseractApi;
}

interface TesseractApi {
  /** `mode` 1 is the neural network alone. Not 0 where the data cannot be used. */
  Init(folder: string, languages: string, mode: number): number;
  SetVariable(name: string, value: string): void;
  /** Takes the picture that was written to `/input`. Not 0 where it cannot be read. */
  SetImageFile(orientation: number, radians: number): number;
  Recognize(progress: null): number;
  /** The words of the page as a table. */
  GetTSVText(page: number): string;
}

/** Opens Tesseract from its compiled code. */
export type StartTesseract = (options: {
  wasmBinary: Uint8Array;
  print: () => void;
  printErr: () => void;
}) => Promise<Tesseract>;

/** The parts that text recognition is made of. */
export interface RecognizerParts {
  start: StartTesseract;
  wasm(): Promise<Uint8Array>;
  /** Unpacked data of a language. */
  languageData(language: ScanLanguage): Promise<Uint8Array>;
}

/** Reads pictures in the thread that it is called in. Throws a DocumentError for what is no picture. */
export type Recognizer = (picture: ScanPicture) => ScanLine[];

/** Loads text recognition for some languages. */
export async function openRecognizer(languages: readonly ScanLanguage[], parts: RecognizerParts): Promise<Recognizer> {
  const silent = () => undefined;
  const tesseract = await parts.start({ wasmBinary: await parts.wasm(), print: silent, printErr: silent });
  for (const language of languages) {
    tesseract.FS.writeFile(`/${scanLanguages[language].data}.traineddata`, await parts.languageData(language));
  }
  const api = new tesseract.TessBaseAPI();
  const names = languages.map((language) => scanLanguages[language].data).join("+");
  if (api.Init("/", names, 1) !== 0) {
    throw new DocumentError(
      "The language data of text recognition cannot be used.",
      "Install them again with `npm run ocr`.",
    );
  }
  return ({ bytes, orientation, dpi }) => {
    tesseract.FS.writeFile("/input", bytes);
    try {
      api.SetVariable("user_defined_dpi", String(dpi ?? 0));
      if (api.SetImageFile(orientation, 0) !== 0) {
        throw new DocumentError("The picture cannot be read.", "It may be damaged. Save it again as PNG or JPEG.");
      }
      api.Recognize(null);
      return scanLines(api.GetTSVText(0));
    } finally {
      tesseract.FS.unlink("/input");
    }
  };
}
