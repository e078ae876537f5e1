import { classNames } from "../theme/class-names.ts";

/** Why a message that was sent is still in its field. The line is there while it is empty, so that what comes is read aloud. */
export function ComposerNote({ note, className }: { note: string | null; className?: string }) {
  return (
    <p role="status" className={classNames("text-xs text-muted empty:absolute", className)}>
      {note}
    </p>
  );
}
