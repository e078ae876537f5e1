import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { type ChatPageInfo, largestChatFile, mostChatFiles } from "../doors/chat-api.ts";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { FilePicker } from "../ui/fields/file-picker.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";
import { AttachedFiles } from "../ui/fields/attached-files.tsx";
import { useAttachments } from "../ui/fields/use-attachments.ts";
import type { ChatSession } from "./chat-session.ts";
import { isEnter } from "../ui/fields/composing.ts";

/** Where messages are typed: Enter sends, Shift+Enter breaks the line; a phone's keyboard has the button alone. */
export function VisitorComposer({ session, info }: { session: ChatSession; info: ChatPageInfo }) {
  const running = useStore(session.store, (state) => state.turns.at(-1)?.status === "running");
  const begun = useStore(session.store, (state) => state.turns.length > 0);
  const [text, setText] = useState(() => session.store.getState().draft);
  const attachments = useAttachments({
    store: session.upload,
    most: mostChatFiles,
    largest: largestChatFile,
    picturesOnly: !info.files,
  });
  const input = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    // A keyboard that comes up unasked would cover half of a phone.
    if (matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, []);

  // A suggested question that was chosen is gone, and the keyboard with it.
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (begun && isLost && matchMedia("(pointer: fine)").matches) input.current?.focus();
  }, [begun]);

  const tooLong = text.length > info.messageChars;
  const canSend = text.trim() !== "" && !tooLong && !attachments.isSending;
  const send = () => {
    const sent = attachments.attached.flatMap(({ stored, preview }) =>
      stored ? { ...stored, url: preview ?? "" } : [],
    );
    if (!canSend || running || !session.send(text, sent)) return;
    setText("");
    attachments.clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isEnter(event) || event.shiftKey) return;
    if (matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || !info.attachments) return;
    event.preventDefault();
    attachments.attach(files);
  };
  const onDrop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0 || !info.attachments) return;
    event.preventDefault();
    attachments.attach(files);
  };
  return (
    <div
      className="shrink-0 px-3 pt-1 pb-[max(12px,env(safe-area-inset-bottom))]"
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2">
        <AttachedFiles attachments={attachments} />
        {(tooLong || attachments.problem !== null) && (
          <p role="alert" className="text-xs text-danger">
            {tooLong
              ? `A message has at most ${info.messageChars.toLocaleString()} characters; this one has ${text.length.toLocaleString()}.`
              : attachments.problem}
          </p>
        )}
        <form
          className="flex items-end gap-1 rounded-xl border border-line-strong bg-raised p-1.5 focus-within:border-accent"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {info.attachments && (
            <FilePicker
              label={info.files ? "Files to attach" : "Pictures to attach"}
              {...(info.files ? {} : { accept: "image/png,image/jpeg,image/webp,image/gif" })}
              multiple
              onFiles={(files) => attachments.attach(files)}
              trigger={
                <IconButton
                  icon="paperclip"
                  label={info.files ? "Attach pictures or files" : "Attach pictures"}
                  tooltipSide="top"
                  className="size-10!"
                  disabled={attachments.attached.length >= mostChatFiles}
                />
              }
            />
          )}
          <Textarea
            ref={input}
            aria-label="Message"
            aria-invalid={tooLong || undefined}
            placeholder={info.placeholder || "Type a message"}
            rows={1}
            maxRows={8}
            className="min-h-10! resize-none! border-transparent! bg-transparent! py-2! text-lg! shadow-none! sm:text-base!"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
          {running ? (
            <IconButton
              icon="square"
              label="Stop"
              variant="secondary"
              tooltipSide="top"
              className="size-10!"
              onClick={() => session.stop()}
            />
          ) : (
            <IconButton
              type="submit"
              icon="send"
              label="Send"
              variant="primary"
              tooltipSide="top"
              className="size-10!"
              disabled={!canSend}
            />
          )}
        </form>
      </div>
    </div>
  );
}
