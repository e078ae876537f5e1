import { Icon } from "../../ui/icons/icon.tsx";
import type { FileValue } from "../../engine/file/file.ts";
import { useFiles } from "../../state/file/use-files.ts";
import { FileList } from "../../ui/files/file-list.tsx";
import type { InlineFile } from "./chat-message.ts";

/** Pictures that were sent with a message. Those of other sites are named, not loaded. */
export function MessageImages({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <ul aria-label="Images" className="flex flex-wrap justify-end gap-2">
      {urls.map((url, index) => (
        <li key={index}>
          {/^data:image\/(png|jpeg|webp|gif);base64,/.test(url) ? (
            <img
              src={url}
              alt={`Attached image ${index + 1}`}
              className="max-h-40 max-w-56 rounded-lg border object-contain"
            />
          ) : (
            <span className="text-xs text-muted wrap-anywhere">{url}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The files that were sent with a message. */
export function MessageFiles({ files }: { files: readonly FileValue[] }) {
  return <FileList label="Files" align="end" {...useFiles(files)} />;
}

/** The names of files that stand in a message itself. */
export function InlineFiles({ files }: { files: readonly InlineFile[] }) {
  return (
    <ul aria-label="Files" className="flex flex-wrap justify-end gap-2">
      {files.map(({ name }, index) => (
        <li key={index} className="flex items-center gap-1 rounded-md border px-2 py-1 text-xs wrap-anywhere">
          <Icon name="file-text" size={14} />
          {name}
        </li>
      ))}
    </ul>
  );
}
