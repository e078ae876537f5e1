import { useEffect, useRef, useState } from "react";
import { visibleName } from "../../engine/text/visible-name.ts";
import { lookOf, type ShownFile } from "../files/file-look.ts";
import { formatBytes } from "../text/format-bytes.ts";
import { shrinkImage } from "./shrink-image.ts";

/** Stores a file for the next message. Rejects with an error whose message is for people, and as its signal was aborted. */
export type StoreFile<Stored> = (
  file: File,
  options: { signal: AbortSignal; onProgress: (part: number) => void },
) => Promise<Stored>;

export interface AttachmentOptions<Stored> {
  store: StoreFile<Stored>;
  /** Files of one message. */
  most: number;
  /** Bytes of one file. */
  largest: number;
  /** Nothing but pictures is taken. */
  picturesOnly?: boolean;
}

/** A file that is to go with the next message. `stored` is absent while it is being sent. */
export interface Attachment<Stored> extends ShownFile {
  key: string;
  /** From 0 to 1. */
  progress: number;
  /** Where this browser has a picture for as long as it is attached. */
  preview: string | undefined;
  stored?: Stored;
}

/** The files that are to go with the next message, each stored as soon as it is chosen, and what is wrong with the last ones. */
export function useAttachments<Stored>({ store, most, largest, picturesOnly = false }: AttachmentOptions<Stored>) {
  const [attached, setAttached] = useState<readonly Attachment<Stored>[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [failures, setFailures] = useState(0);
  const sending = useRef(new Map<string, AbortController>());
  const count = useRef(0);

  useEffect(() => {
    const open = sending.current;
    return () => {
      for (const control of open.values()) control.abort();
    };
  }, []);

  const change = (key: string, part: Partial<Attachment<Stored>>) =>
    setAttached((known) => known.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const drop = (key: string) => {
    sending.current.get(key)?.abort();
    sending.current.delete(key);
    setAttached((known) => known.filter((one) => one.key !== key));
  };
  const tell = (text: string) => setProblem((known) => (known === null ? text : `${known} ${text}`));

  const send = async (key: string, chosen: File) => {
    const control = new AbortController();
    sending.current.set(key, control);
    const { signal } = control;
    try {
      const file = await ready(chosen, largest);
      if (signal.aborted) return;
      const preview = lookOf(file.type) === "picture" ? URL.createObjectURL(file) : undefined;
      change(key, { name: file.name, mediaType: file.type, size: file.size, preview });
      const stored = await store(file, { signal, onProgress: (progress) => change(key, { progress }) });
      change(key, { stored, progress: 1 });
    } catch (error) {
      if (signal.aborted) return;
      drop(key);
      setFailures((before) => before + 1);
      tell(error instanceof Error ? error.message : String(error));
    } finally {
      sending.current.delete(key);
    }
  };

  const attach = (chosen: readonly File[]) => {
    if (chosen.length === 0) return;
    const wanted = chosen.filter((file) => !picturesOnly || file.type.startsWith("image/"));
    const taken = wanted.slice(0, Math.max(0, most - attached.length));
    setProblem(taken.length < wanted.length ? `A message can have at most ${most} files.` : null);
    for (const file of chosen) if (!wanted.includes(file)) tell(cannotAttach(file));
    const added = taken.map((file) => ({ key: `attached-${(count.current += 1)}`, file }));
    setAttached((known) => [
      ...known,
      ...added.map(({ key, file }) => ({
        key,
        name: visibleName(file.name),
        mediaType: file.type,
        size: file.size,
        progress: 0,
        preview: undefined,
      })),
    ]);
    for (const { key, file } of added) void send(key, file);
  };

  return {
    attached,
    problem,
    /** How many could not be stored, of all that were attached. */
    failures,
    /** Some are still on their way. */
    isStoring: attached.some(({ stored }) => stored === undefined),
    attach,
    detach: drop,
    /** Previews stay: the message that was sent may show them. */
    clear: () => {
      setAttached([]);
      setProblem(null);
    },
  };
}

export type Attachments<Stored> = ReturnType<typeof useAttachments<Stored>>;

/** A file as it is sent: pictures as vendors take them. Rejects, in words, where it cannot be. */
async function ready(file: File, largest: number): Promise<File> {
  const isPicture = lookOf(file.type) === "picture" || /^image\/(heic|heif|bmp|tiff)$/.test(file.type);
  if (!isPicture) {
    if (file.size <= largest) return file;
    throw new Error(`“${visibleName(file.name)}” is larger than ${formatBytes(largest)}. Attach a smaller file.`);
  }
  const shrunk = await shrinkImage(file);
  if (shrunk.ok) return shrunk.file;
  throw new Error(shrunk.problem);
}

/** What people call a file, by the ending of its name. */
const documentKinds: readonly (readonly [RegExp, string])[] = [
  [/\.(docx?|odt|pages)$/i, "a text document"],
  [/\.(xlsx?|ods|numbers)$/i, "a spreadsheet"],
  [/\.(pptx?|odp)$/i, "a presentation"],
];

/** Why a file is not attached where pictures alone are taken, and what to do instead. */
export function cannotAttach({ name }: Pick<File, "name">): string {
  const kind = documentKinds.find(([ending]) => ending.test(name))?.[1];
  if (kind === undefined) return `“${visibleName(name)}” can’t be attached. Pictures can.`;
  return `“${visibleName(name)}” is ${kind}, which can’t be attached. Copy its text into the message.`;
}
