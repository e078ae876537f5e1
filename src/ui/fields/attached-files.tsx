import { IconButton } from "../buttons/icon-button.tsx";
import { FileLine } from "../files/file-line.tsx";
import type { Attachments } from "./use-attachments.ts";

/** What goes with the next message, how far each file has come, and a button that removes it. */
export function AttachedFiles<Stored>({ attachments }: { attachments: Attachments<Stored> }) {
  const { attached, detach } = attachments;
  if (attached.length === 0) return null;
  return (
    <ul aria-label="Attached files" className="flex flex-wrap items-end gap-3">
      {attached.map((file) => (
        <li key={file.key} className="relative flex max-w-full min-w-0 flex-col">
          {file.preview === undefined ? (
            <FileLine file={file}>
              <IconButton size="sm" icon="x" label={`Remove ${file.name}`} onClick={() => detach(file.key)} />
            </FileLine>
          ) : (
            <>
              <img src={file.preview} alt={file.name} className="size-16 rounded-md border object-cover" />
              <IconButton
                size="sm"
                icon="x"
                variant="secondary"
                label={`Remove ${file.name}`}
                className="absolute! -top-2 -right-2 size-6! rounded-full!"
                onClick={() => detach(file.key)}
              />
            </>
          )}
          {file.stored === undefined && (
            <progress
              aria-label={`Sending ${file.name}`}
              value={file.progress}
              className="mt-1 h-1 w-full appearance-none overflow-hidden rounded-full bg-pressed [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-pressed [&::-webkit-progress-value]:bg-accent"
            />
          )}
        </li>
      ))}
    </ul>
  );
}
