import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { type ChatPageInfo, largestChatFile, mostChatFiles } from "../doors/chat-api.ts";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { FilePicker } from "../ui/fields/file-picker.tsx";
import { Textarea } from "../ui/fields/textarea.tsx";
import { AttachedFiles } from "../ui/fields/attached-files.tsx";
import { ComposerNote } from "../ui/fields/composer-note.tsx";
import { SendButton } from "../ui/fields/send-button.tsx";
import { useComposer } from "../ui/fields/use-composer.ts";
import type { ChatSession } from "./chat-session.ts";

/** Where messages are typed: Enter sends, Shift+Enter breaks the line; a phone's keyboard has the button alone. */
export function VisitorComposer({ session, info }: { session: ChatSession; info: ChatPageInfo }) {
  const running = useStore(session.store, (state) => state.turns.at(-1)?.status === "running");
  const begun = useStore(session.store, (state) => state.turns.length > 0);
  const conversation = useStore(session.store, (state) => state.threadId);
  const { attachments, isWaiting, canSend, note, field, onDrop, onSubmit } = useComposer({
    draft: session.store.getState().draft,
    files: { store: session.upload, most: mostChatFiles, largest: largestChatFile, picturesOnly: !info.files },
    takesFiles: info.attachments,
    isEnterALine: () => matchMedia("(pointer: coarse)").matches,
    isSendable: (text) => text.length <= info.messageChars,
    isAnswering: running,
    conversation,
    onSend: (text, attached) =>
      session.send(
        text,
        attached.map(({ stored, preview }) => ({ ...stored, url: preview ?? "" })),
      ),
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

  const tooLong = field.value.length > info.messageChars;
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
              ? `A message has at most ${info.messageChars.toLocaleString()} characters; this one has ${field.value.length.toLocaleString()}.`
              : attachments.problem}
          </p>
        )}
        <ComposerNote note={note} />
        <form
          className="flex items-end gap-1 rounded-xl border border-line-strong bg-raised p-1.5 focus-within:border-accent"
          onSubmit={onSubmit}
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
            {...field}
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
            <SendButton isWaiting={isWaiting} disabled={!canSend} className="size-10!" />
          )}
        </form>
      </div>
    </div>
  );
}
