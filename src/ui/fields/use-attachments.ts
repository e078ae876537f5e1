import { useState } from "react";
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
    const isFile = (file: File) => takesFiles && !file.type.startsWith("image/");
    const documents = chosen.filter(isFile);
    const pictures = chosen.filter((file) => !isFile(file));
    const newFiles = documents.slice(0, Math.max(0, mostFiles - files.length));
    const newImages = pictures.slice(0, Math.max(0, mostImages - images.length - reading));
    const count = newFiles.length + newImages.length;
    if (chosen.length === 0) return;
    setProblem(count < chosen.length ? mostTaken(takesFiles) : null);
    setReading((known) => known + count);
    for (const file of newFiles) {
      const read = await readFile(file);
      if (read.ok) setFiles((known) => [...known, { name: file.name, url: read.url }]);
      else setProblem(read.problem);
      setReading((known) => known - 1);
    }
    for (const file of newImages) {
      const image = await shrinkImage(file);
      if (image.ok) setImages((known) => [...known, image.url]);
      else setProblem(image.problem);
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

async function readFile(file: File): Promise<{ ok: true; url: string } | { ok: false; problem: string }> {
  const type = Object.hasOwn(fileTypes, file.type) ? fileTypes[file.type] : undefined;
  if (type === undefined)
    return { ok: false, problem: `“${file.name}” can’t be attached. Pictures, PDF, WAV and MP3 files can.` };
  if (file.size > largestFile)
    return { ok: false, problem: `“${file.name}” is larger than ${largestFile / 1e6} MB. Attach a smaller file.` };
  try {
    return { ok: true, url: await asDataUrl(file, type) };
  } catch {
    return { ok: false, problem: `“${file.name}” could not be read. Try again, or attach another file.` };
  }
}
