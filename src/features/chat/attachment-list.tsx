import type { FileValue } from "../../engine/file/file.ts";
import { useDocumentStore } from "../../state/editor/editor-context.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { AttachedFiles } from "../../ui/fields/attached-files.tsx";
import type { Attachments } from "../../ui/fields/use-attachments.ts";
import { lookOf } from "../../ui/files/file-look.ts";
import { readingOf, visionOf } from "./vision-of.ts";

/** What goes with the next message, each with a button that removes it, and whether the model can see and hear it. */
export function AttachmentList({ attachments }: { attachments: Attachments<FileValue> }) {
  const { attached, problem } = attachments;
  const blind = useDocumentStore((state) => namesOf(visionOf(state.document)));
  const deaf = useDocumentStore((state) => namesOf(readingOf(state.document, "audio")));
  if (attached.length === 0 && problem === null) return null;
  const has = (look: string) => attached.some(({ mediaType }) => lookOf(mediaType) === look);
  return (
    <div className="mx-auto mb-2 flex w-full max-w-3xl flex-col gap-2">
      {has("picture") && blind !== "" && (
        <Notice tone="warning" title={`${blind} cannot see pictures`}>
          They would be left out. Choose a model with vision on the model node, or remove the pictures.
        </Notice>
      )}
      {has("sound") && deaf !== "" && (
        <Notice tone="warning" title={`${deaf} cannot hear an attached recording`}>
          It would be left out. Choose a model that hears recordings on the model node, or remove the recording.
        </Notice>
      )}
      {problem !== null && <Notice tone="warning" title={problem} />}
      <AttachedFiles attachments={attachments} />
    </div>
  );
}

function namesOf(reading: ReturnType<typeof visionOf>): string {
  return reading.ok ? "" : reading.unable.join(", ");
}
