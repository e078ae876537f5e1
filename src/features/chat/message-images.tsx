import { Icon } from "../../ui/icons/icon.tsx";
import type { AttachedFile } from "./chat-message.ts";

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

/** The names of files that were sent with a message. */
export function MessageFiles({ files }: { files: readonly AttachedFile[] }) {
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
