import { useEffect, useState } from "react";
import { IconButton } from "../buttons/icon-button.tsx";
import { Spinner } from "../feedback/spinner.tsx";
import { downloadFile } from "../data/download-json.ts";
import { FileLine } from "./file-line.tsx";
import { FileMedia } from "./file-media.tsx";
import { lookOf, type ShownFile } from "./file-look.ts";

/** A file whose bytes are read by its id. */
export interface StoredFile extends ShownFile {
  id: string;
}

/** Reads the bytes of a file. Rejects with an error whose message is for people. */
export type OpenFile = (id: string, signal: AbortSignal) => Promise<Blob>;

interface FileListProps {
  label: string;
  files: readonly StoredFile[];
  open: OpenFile;
  align?: "start" | "end";
}

/** A picture of more bytes is shown when it is asked for. */
const largestAtOnce = 20_000_000;

/** Stored files: pictures are shown, sound and film can be played, and all of them downloaded. */
export function FileList({ label, files, open, align = "start" }: FileListProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={label} className={`flex min-w-0 flex-wrap gap-2 ${align === "end" ? "justify-end" : ""}`}>
      {files.map((file) => (
        <li key={file.id} className="flex max-w-full min-w-0 flex-col items-start gap-1">
          <FileEntry file={file} open={open} />
        </li>
      ))}
    </ul>
  );
}

function FileEntry({ file, open }: { file: StoredFile; open: OpenFile }) {
  const look = lookOf(file.mediaType);
  const isShown = look === "picture" && file.size <= largestAtOnce;
  const [wanted, setWanted] = useState(isShown);
  const { url, problem } = useBytes(file.id, wanted ? open : null);
  const [saving, setSaving] = useState<string | null>(null);
  const save = () => {
    setSaving("");
    open(file.id, new AbortController().signal).then(
      (blob) => {
        downloadFile(file.name, file.mediaType, blob);
        setSaving(null);
      },
      (error: unknown) => setSaving(wordsOf(error)),
    );
  };
  return (
    <>
      {url !== null && <FileMedia file={file} url={url} playing={!isShown} />}
      {wanted && url === null && problem === null && (
        <span className="flex size-16 items-center justify-center rounded-md border text-muted">
          <Spinner label={`Loading ${file.name}`} />
        </span>
      )}
      <FileLine file={file}>
        {look !== "other" && !wanted && (
          <IconButton
            size="sm"
            icon={look === "picture" ? "eye" : "play"}
            label={`${look === "picture" ? "Show" : "Play"} ${file.name}`}
            onClick={() => setWanted(true)}
          />
        )}
        <IconButton size="sm" icon="download" label={`Download ${file.name}`} disabled={saving === ""} onClick={save} />
      </FileLine>
      {(problem ?? saving ?? "") !== "" && <span className="text-xs text-danger">{problem ?? saving}</span>}
    </>
  );
}

/** The bytes of a file as an address of this page, while they are wanted. */
function useBytes(id: string, open: OpenFile | null): { url: string | null; problem: string | null } {
  const [state, setState] = useState<{ url: string | null; problem: string | null }>({ url: null, problem: null });
  useEffect(() => {
    if (open === null) return;
    const control = new AbortController();
    let made: string | null = null;
    open(id, control.signal).then(
      (blob) => {
        if (control.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setState({ url: made, problem: null });
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState({ url: null, problem: wordsOf(error) });
      },
    );
    return () => {
      control.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [id, open]);
  return state;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
