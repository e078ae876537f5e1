import { useEffect, useRef } from "react";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { messageDrafts } from "./message-ahead.tsx";
import { maxFileBytes } from "../../engine/file/file.ts";
import { ComposerNote } from "../../ui/fields/composer-note.tsx";
import { SendButton } from "../../ui/fields/send-button.tsx";
import { useComposer } from "../../ui/fields/use-composer.ts";
import { useStoreFile } from "./use-store-file.ts";

/** Files of one message. */
const maxFiles = 8;

interface ChatComposerProps {
  /** Whose message it is while it is being typed. */
  place: string;
  /** Its conversation. */
  conversation: string;
  disabled: boolean;
  running: boolean;
  /** Returns whether the message was taken; if not it stays in the input. */
  onSend: (message: ChatMessage) => boolean;
  onStop: () => void;
  /** Something is being typed. */
  onType: () => void;
  /** It takes the keyboard when it appears, and not when the run panel's chat is wanted. */
  aside: boolean;
}

/** Where messages are typed: Enter sends, Shift+Enter breaks the line. Pictures and files are attached, pasted or dropped. */
export function ChatComposer({
  place,
  conversation,
  disabled,
  running,
  onSend,
  onStop,
  onType,
  aside,
}: ChatComposerProps) {
  const { attachments, isWaiting, canSend, note, field, onDrop, onSubmit } = useComposer({
    draft: messageDrafts.get(place) ?? "",
    onDraft: (text) => messageDrafts.set(place, text),
    files: { store: useStoreFile(), most: maxFiles, largest: maxFileBytes },
    takesFiles: !disabled,
    isSendable: () => !disabled,
    isAnswering: running,
    conversation,
    onSend: (text, attached) => {
      const files = attached.map(({ stored }) => stored);
      return onSend({ text, images: [], ...(files.length > 0 ? { files } : {}) });
    },
  });
  const input = useRef<HTMLTextAreaElement>(null);
  const focusRequests = usePanelStore((state) => (aside ? 0 : state.chatFocus));

  useEffect(() => {
    const field = input.current;
    if (field === null || (!aside && focusRequests === 0)) return;
    field.focus();
    // Behind what was typed while the chat was on its way.
    field.setSelectionRange(field.value.length, field.value.length);
  }, [focusRequests, aside]);

  return (
    <div
      data-composer=""
      className="mt-(--toast-room) shrink-0 border-t px-3 py-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <AttachmentList attachments={attachments} />
      <ComposerNote note={note} className="mx-auto mb-2 w-full max-w-3xl" />
      <form className="mx-auto flex w-full max-w-3xl items-end gap-2" onSubmit={onSubmit}>
        <FilePicker
          label="Files to attach"
          multiple
          onFiles={(files) => attachments.attach(files)}
          trigger={
            <IconButton icon="paperclip" label="Attach pictures or files" tooltipSide="top" disabled={disabled} />
          }
        />
        <Textarea
          ref={input}
          aria-label={aside ? "Message to the assistant" : "Message"}
          placeholder={disabled ? "Add a chat trigger to talk to this workflow" : "Ask something"}
          rows={1}
          maxRows={8}
          className="resize-none! text-base!"
          disabled={disabled}
          {...field}
          onChange={(event) => {
            onType();
            field.onChange(event);
          }}
        />
        {running ? (
          <IconButton
            icon="square"
            label="Stop"
            shortcut="mod+."
            variant="secondary"
            tooltipSide="top"
            onClick={onStop}
          />
        ) : (
          <SendButton shortcut="enter" isWaiting={isWaiting} disabled={!canSend} />
        )}
      </form>
    </div>
  );
}
