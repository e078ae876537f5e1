import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { messageDrafts } from "./message-ahead.tsx";
import { maxFileBytes } from "../../engine/file/file.ts";
import { useAttachments } from "../../ui/fields/use-attachments.ts";
import { useStoreFile } from "./use-store-file.ts";
import { isEnter } from "../../ui/fields/composing.ts";

/** Files of one message. */
const maxFiles = 8;

interface ChatComposerProps {
  /** Whose message it is while it is being typed. */
  place: string;
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
export function ChatComposer({ place, disabled, running, onSend, onStop, onType, aside }: ChatComposerProps) {
  const [text, setText] = useState(() => messageDrafts.get(place) ?? "");
  const attachments = useAttachments({ store: useStoreFile(), most: maxFiles, largest: maxFileBytes });
  const input = useRef<HTMLTextAreaElement>(null);
  const focusRequests = usePanelStore((state) => (aside ? 0 : state.chatFocus));

  useEffect(() => {
    const field = input.current;
    if (field === null || (!aside && focusRequests === 0)) return;
    field.focus();
    // Behind what was typed while the chat was on its way.
    field.setSelectionRange(field.value.length, field.value.length);
  }, [focusRequests, aside]);

  const change = (next: string) => {
    messageDrafts.set(place, next);
    setText(next);
  };
  const canSend = text.trim() !== "" && !disabled && !attachments.isSending;
  const send = () => {
    if (!canSend || running) return;
    const files = attachments.attached.flatMap(({ stored }) => stored ?? []);
    if (!onSend({ text: text.trim(), images: [], ...(files.length > 0 ? { files } : {}) })) return;
    change("");
    attachments.clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    attachments.attach(files);
  };
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0 || disabled) return;
    event.preventDefault();
    attachments.attach(files);
  };

  return (
    <div
      data-composer=""
      className="mt-(--toast-room) shrink-0 border-t px-3 py-2"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <AttachmentList attachments={attachments} />
      <form
        className="mx-auto flex w-full max-w-3xl items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
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
          value={text}
          disabled={disabled}
          onChange={(event) => {
            onType();
            change(event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
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
          <IconButton
            type="submit"
            icon="send"
            label="Send"
            shortcut="enter"
            variant="primary"
            tooltipSide="top"
            disabled={!canSend}
          />
        )}
      </form>
    </div>
  );
}
