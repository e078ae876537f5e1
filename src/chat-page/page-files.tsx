import type { ChatFile } from "../doors/chat-api.ts";
import { FileLine } from "../ui/files/file-line.tsx";
import { FileMedia } from "../ui/files/file-media.tsx";
import { lookOf } from "../ui/files/file-look.ts";
import { Icon } from "../ui/icons/icon.tsx";

/** Files of a conversation: pictures are shown, sound and film can be played, others downloaded where they have a link. */
export function PageFiles({
  label,
  files,
  align = "start",
}: {
  label: string;
  files: readonly ChatFile[];
  align?: "start" | "end";
}) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={label} className={`flex min-w-0 flex-wrap gap-2 ${align === "end" ? "justify-end" : ""}`}>
      {files.map((file, index) => (
        <li key={index} className="flex max-w-full min-w-0 flex-col items-start gap-1">
          {file.url !== "" && <FileMedia file={file} url={file.url} />}
          {(file.url === "" || lookOf(file.mediaType) !== "picture") && (
            <FileLine file={file}>
              {file.url !== "" && (
                <a
                  href={file.url}
                  download={file.name}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`Download ${file.name}`}
                  className="inline-flex size-7 items-center justify-center rounded-md hover:bg-hover active:bg-pressed"
                >
                  <Icon name="download" size={14} />
                </a>
              )}
            </FileLine>
          )}
        </li>
      ))}
    </ul>
  );
}
