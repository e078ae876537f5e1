import type { ScanLanguage } from "./scan-languages.ts";
import { serveRequests } from "../../host/thread/serve-requests.ts";
import { DocumentError } from "../document-error.ts";
import { languageFile, scanFiles } from "./installed-scans.ts";
import { openRecognizer, type Recognizer, type StartTesseract } from "./recognizer.ts";
import type { ScanAnswer, ScanWork } from "./scans-in-browser.ts";

let last: { languages: string; recognizer: Recognizer } | undefined;

async function recognizerFor({ folder, languages }: ScanWork): Promise<Recognizer | null> {
  const names = languages.join("+");
  if (last?.languages === names) return last.recognizer;
  try {
    const module: { default: StartTesseract } = await import(/* @vite-ignore */ `${folder}${scanFiles.module}`);
    const recognizer = await openRecognizer(languages, {
      start: module.default,
      wasm: async () => new Uint8Array(await (await load(scanFiles.wasm)).arrayBuffer()),
      languageData,
    });
    last = { languages: names, recognizer };
    return recognizer;
  } catch {
    return null;
  }

  async function languageData(language: ScanLanguage): Promise<Uint8Array> {
    const { body } = await load(languageFile(language));
    return new Uint8Array(await new Response(body?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  }

  async function load(file: string): Promise<Response> {
    const answer = await fetch(`${folder}${file}`);
    if (!answer.ok) throw new Error(`${file} cannot be loaded.`);
    return answer;
  }
}

serveRequests(({ picture }: ScanWork, recognize: Recognizer | null): ScanAnswer => {
  if (!recognize) {
    return {
      ok: false,
      message: "Text recognition could not be loaded.",
      hint: "Check your connection and try again. If it stays so, install it again with `npm run ocr`.",
    };
  }
  try {
    return { ok: true, lines: recognize(picture) };
  } catch (error) {
    last = undefined;
    if (error instanceof DocumentError) return { ok: false, message: error.message, hint: error.hint };
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `The text could not be recognized: ${reason}`, hint: "Scan the page again." };
  }
}, recognizerFor);
