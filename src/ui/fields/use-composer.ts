import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { isEnter } from "./composing.ts";
import { type Attachment, type AttachmentOptions, type Attachments, useAttachments } from "./use-attachments.ts";
import { fateOf, type WaitingMessage } from "./waiting-message.ts";

interface ComposerOptions<Stored> {
  draft: string;
  onDraft?: (text: string) => void;
  files: AttachmentOptions<Stored>;
  takesFiles: boolean;
  /** Enter breaks the line, as on a phone. */
  isEnterALine?: () => boolean;
  /** Whether what is typed can be sent as it is. */
  isSendable: (text: string) => boolean;
  /** An answer is on its way, and takes no second message. */
  isAnswering: boolean;
  /** Which conversation the message goes to. */
  conversation: string | null;
  /** Returns whether the message was taken; if not it stays in the field. */
  onSend: (text: string, files: readonly (Attachment<Stored> & { stored: Stored })[]) => boolean;
}

interface Composer<Stored> {
  attachments: Attachments<Stored>;
  /** It was sent and waits for its files. */
  isWaiting: boolean;
  canSend: boolean;
  /** Why the message has not gone, where it was sent. */
  note: string | null;
  field: {
    value: string;
    onChange: (event: { target: { value: string } }) => void;
    onKeyDown: (event: KeyboardEvent) => void;
    onPaste: (event: ClipboardEvent) => void;
  };
  onDrop: (event: DragEvent) => void;
  /** Sends the message, or takes back one that waits. */
  onSubmit: (event: FormEvent) => void;
}

/**
 * A message while it is typed, with files that are attached, pasted or dropped. Sent while files are being stored it waits for
 * them; every change to it takes it back.
 */
export function useComposer<Stored>(options: ComposerOptions<Stored>): Composer<Stored> {
  const { takesFiles, isAnswering, conversation, onSend } = options;
  const [text, setText] = useState(options.draft);
  const [waiting, setWaiting] = useState<WaitingMessage | null>(null);
  const files = useAttachments(options.files);
  const { isStoring, failures } = files;
  const takeBack = () => setWaiting(null);
  const attachments: Attachments<Stored> = {
    ...files,
    attach(chosen) {
      takeBack();
      files.attach(chosen);
    },
    detach(key) {
      takeBack();
      files.detach(key);
    },
  };
  const change = (next: string) => {
    takeBack();
    options.onDraft?.(next);
    setText(next);
  };
  const deliver = () => {
    const stored = files.attached.flatMap((file) =>
      file.stored === undefined ? [] : { ...file, stored: file.stored },
    );
    if (!onSend(text.trim(), stored)) return;
    change("");
    files.clear();
  };
  const canSend = options.isSendable(text) && (text.trim() !== "" || files.attached.length > 0);
  const send = () => {
    if (!canSend || isAnswering) return;
    if (isStoring) setWaiting({ conversation, failures });
    else deliver();
  };

  const fate = waiting && fateOf(waiting, { conversation, failures, isStoring, isAnswering });
  if (fate === "keep") setWaiting(null);
  useAsSoonAs(fate === "send", () => {
    setWaiting(null);
    deliver();
  });

  const take = (event: { preventDefault: () => void }, given: FileList) => {
    if (given.length === 0 || !takesFiles) return;
    event.preventDefault();
    attachments.attach([...given]);
  };
  return {
    attachments,
    isWaiting: waiting !== null,
    canSend,
    note: waiting === null ? null : "Your message will be sent when its files are uploaded.",
    field: {
      value: text,
      onChange: ({ target }) => change(target.value),
      onKeyDown(event) {
        if (!isEnter(event) || event.shiftKey || options.isEnterALine?.()) return;
        event.preventDefault();
        if (waiting === null) send();
      },
      onPaste: (event) => take(event, event.clipboardData.files),
    },
    onDrop: (event) => take(event, event.dataTransfer.files),
    onSubmit(event) {
      event.preventDefault();
      if (waiting === null) send();
      else takeBack();
    },
  };
}

function useAsSoonAs(isTime: boolean, act: () => void): void {
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (isTime) actNow();
  }, [isTime]);
}
