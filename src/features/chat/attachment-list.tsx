import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import type { Attachments } from "../../ui/fields/use-attachments.ts";
import { readingOf, visionOf } from "./vision-of.ts";

/** What goes with the next message, each with a button that removes it, and whether the model can see the pictures. */
export function AttachmentList({ attachments }: { attachments: Attachments }) {
  const { images, files, problem, reading, detach, detachFile } = attachments;
  const blind = useDocumentStore((state) => namesOf(visionOf(state.document)));
  const pdf = useDocumentStore((state) => namesOf(readingOf(state.document, "pdf")));
  const audio = useDocumentStore((state) => namesOf(readingOf(state.document, "audio")));
  const unread = files.map((file) => (file.url.startsWith("data:audio/") ? audio : pdf)).find((names) => names !== "");
  if (images.length === 0 && files.length === 0 && problem === null && !reading) return null;
  return (
    <div className="mx-auto mb-2 flex w-full max-w-3xl flex-col gap-2">
      {images.length > 0 && blind !== "" && (
        <Notice tone="warning" title={`${blind} cannot see pictures`}>
          They would be left out. Choose a model with vision on the model node, or remove the pictures.
        </Notice>
      )}
      {unread !== undefined && (
        <Notice tone="warning" title={`${unread} cannot read an attached file`}>
          It would be left out. Choose a model that reads such files on the model node, or remove the file.
        </Notice>
      )}
      {problem !== null && <Notice tone="warning" title={problem} />}
      {files.length > 0 && (
        <ul aria-label="Attached files" className="flex flex-wrap gap-2">
          {files.map(({ name }, index) => (
            <li
              key={index}
              className="flex items-center gap-1 rounded-md border py-0.5 pr-0.5 pl-2 text-sm wrap-anywhere"
            >
              {name}
              <IconButton size="sm" icon="x" label={`Remove ${name}`} onClick={() => detachFile(index)} />
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Attached pictures" className="flex flex-wrap gap-2">
        {images.map((url, index) => (
          <li key={url} className="relative">
            <img src={url} alt={`Attached picture ${index + 1}`} className="size-16 rounded-md border object-cover" />
            <IconButton
              size="sm"
              icon="x"
              variant="secondary"
              label={`Remove picture ${index + 1}`}
              className="absolute! -top-2 -right-2 size-6! rounded-full!"
              onClick={() => detach(index)}
            />
          </li>
        ))}
        {reading && (
          <li className="flex size-16 items-center justify-center rounded-md border text-muted">
            <Spinner label="Reading the attachment" />
          </li>
        )}
      </ul>
    </div>
  );
}

function namesOf(reading: ReturnType<typeof visionOf>): string {
  return reading.ok ? "" : reading.unable.join(", ");
}
