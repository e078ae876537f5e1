import { useState } from "react";
import { visibleName } from "../../engine/text/visible-name.ts";
import { asDataUrl } from "./as-data-url.ts";
import { shrinkImage } from "./shrink-image.ts";

/** The most pictures, and the most files, that go with one message. */
export const mostImages = 4;
const mostFiles = 4;
/** Of one file: a run is stored with it. */
const largestFile = 10_000_000;

/** Types of files that models read, by the names that browsers give them. */
const fileTypes: Readonly<Record<string, string>> = {
  "application/pdf": "application/pdf",
  "audio/wav": "audio/wav",
  "audio/x-wav": "audio/wav",
  "audio/wave": "audio/wav",
  "audio/mpeg": "audio/mpeg",
  "audio/mp3": "audio/mpeg",
};

/** What a file picker offers where files other than pictures can be sent. */
export const attachable = ["image/png", "image/jpeg", "image/webp", "image/gif", ...Object.keys(fileTypes)].join(",");

interface AttachedFile {
  name: string;
  /** A `data:` URL. */
  url: string;
}

/**
 * The pictures (`data:` URLs) and files that are to go with the next message, and what is wrong with the last ones.
 * `takesFiles`: documents and recordings are taken as well.
 */
export function useAttachments({ takesFiles = false } = {}) {
  const [images, setImages] = useState<readonly string[]>([]);
  const [files, setFiles] = useState<readonly AttachedFile[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(0);

  const attach = async (chosen: readonly File[]) => {
    const isFile = (file: File) => !file.type.startsWith("image/") && (takesFiles || documentKind(file) !== undefined);
    const documents = chosen.filter(isFile);
    const pictures = chosen.filter((file) => !isFile(file));
    const newFiles = documents.slice(0, Math.max(0, mostFiles - files.length));
    const newImages = pictures.slice(0, Math.max(0, mostImages - images.length - reading));
    const count = newFiles.length + newImages.length;
    if (chosen.length === 0) return;
    setProblem(count < chosen.length ? mostTaken(takesFiles) : null);
    const addProblem = (text: string) => setProblem((known) => (known === null ? text : `${known} ${text}`));
    setReading((known) => known + count);
    for (const file of newFiles) {
      const read = takesFiles
        ? await readFile(file)
        : { ok: false as const, problem: cannotAttach(file, "Pictures can.") };
      if (read.ok) setFiles((known) => [...known, { name: visibleName(file.name), url: read.url }]);
      else addProblem(read.problem);
      setReading((known) => known - 1);
    }
    for (const file of newImages) {
      const image = await shrinkImage(file);
      if (image.ok) setImages((known) => [...known, image.url]);
      else addProblem(image.problem);
      setReading((known) => known - 1);
    }
  };
  return {
    images,
    files,
    problem,
    reading: reading > 0,
    attach,
    detach: (index: number) => setImages((known) => known.filter((_, at) => at !== index)),
    detachFile: (index: number) => setFiles((known) => known.filter((_, at) => at !== index)),
    clear: () => {
      setImages([]);
      setFiles([]);
      setProblem(null);
    },
  };
}

export type Attachments = ReturnType<typeof useAttachments>;

function mostTaken(takesFiles: boolean): string {
  const files = takesFiles ? ` and ${mostFiles} files` : "";
  return `A message can have at most ${mostImages} pictures${files}.`;
}

/** What people call a file that models do not read, by the ending of its name. */
const documentKinds: readonly (readonly [RegExp, string])[] = [
  [/\.(docx?|odt|pages)$/i, "a text document"],
  [/\.(xlsx?|ods|numbers)$/i, "a spreadsheet"],
  [/\.(pptx?|odp)$/i, "a presentation"],
];

const documentKind = ({ name }: Pick<File, "name">): string | undefined =>
  documentKinds.find(([ending]) => ending.test(name))?.[1];

/** Why a file is not attached, by its name and kind, and what to do instead. */
export function cannotAttach(file: Pick<File, "name">, what: string): string {
  const kind = documentKind(file);
  if (kind === undefined) return `“${visibleName(file.name)}” can’t be attached. ${what}`;
  const instead = what.includes("PDF") ? "Save it as PDF and attach that." : "Copy its text into the message.";
  return `“${visibleName(file.name)}” is ${kind}, which can’t be attached. ${instead}`;
}

async function readFile(file: File): Promise<{ ok: true; url: string } | { ok: false; problem: string }> {
  const type = Object.hasOwn(fileTypes, file.type) ? fileTypes[file.type] : undefined;
  if (type === undefined) return { ok: false, problem: cannotAttach(file, "Pictures, PDF, WAV and MP3 files can.") };
  if (file.size > largestFile)
    return {
      ok: false,
      problem: `“${visibleName(file.name)}” is larger than ${largestFile / 1e6} MB. Attach a smaller file.`,
    };
  try {
    return { ok: true, url: await asDataUrl(file, type) };
  } catch {
    return { ok: false, problem: `“${visibleName(file.name)}” could not be read. Try again, or attach another file.` };
  }
}
