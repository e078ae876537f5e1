import type { ScanLanguage } from "./scan-languages.ts";
import { openWorker } from "../../host/thread/open-worker.ts";
import { threadPool } from "../../host/thread/thread-pool.ts";
import { DocumentError } from "../document-error.ts";
import { readInstalled, scanFiles } from "./installed-scans.ts";
import { notInstalled } from "./scan-errors.ts";
import type { ScanLine } from "./scan-lines.ts";
import type { OpenScans, ScanPicture } from "./scan-reader.ts";

/** A picture to read. */
export interface ScanWork {
  /** Address of the folder with text recognition. */
  folder: string;
  languages: readonly ScanLanguage[];
  picture: ScanPicture;
}

export type ScanAnswer = { ok: true; lines: ScanLine[] } | { ok: false; message: string; hint: string };

const pageDeadlineMs = 120_000;

/** Languages that this site can read scans in. Empty where text recognition is not installed. */
export async function scanLanguagesOfSite(): Promise<ScanLanguage[]> {
  const answer = await fetch(`${folderOfSite()}${scanFiles.list}`, { cache: "no-cache" }).catch(() => null);
  return answer?.ok ? readInstalled(await answer.text()) : [];
}

/** Text recognition by a worker of the browser, with what the site itself serves. */
export function scansInBrowser(): OpenScans {
  const hint = "Scan the page again with 200 dots per inch, or make the picture smaller.";
  const work = threadPool<ScanWork, ScanAnswer>({
    start: () => openWorker(new Worker(new URL("./scan-worker.ts", import.meta.url), { type: "module" })),
    maxThreads: 1,
    limitsOf: () => ({
      deadlineMs: pageDeadlineMs,
      tooLong: {
        ok: false,
        message: `Recognizing the text of a page took longer than ${pageDeadlineMs / 1_000} s and was stopped.`,
        hint,
      },
      failed: { ok: false, message: "Recognizing the text of a page needed more memory than there is.", hint },
      notStarted: {
        ok: false,
        message: "Text recognition could not be started.",
        hint: "Check your connection, reload the page and try again.",
      },
    }),
  });
  return async () => {
    const languages = await scanLanguagesOfSite();
    if (languages.length === 0) throw notInstalled();
    const folder = folderOfSite();
    return {
      async read(picture, signal) {
        const answer = await work({ folder, languages, picture }, signal);
        if (!answer.ok) throw new DocumentError(answer.message, answer.hint);
        return answer.lines;
      },
    };
  };
}

const folderOfSite = () => new URL("/ocr/", location.href).href;
