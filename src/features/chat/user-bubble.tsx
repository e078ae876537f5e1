import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Textarea } from "../../ui/fields/textarea.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { keptState } from "../../ui/data/virtual-log/kept-state.ts";
import { type ChatMessage, hasFiles } from "./chat-message.ts";
import { InlineFiles, MessageFiles, MessageImages } from "./message-images.tsx";
import { isEnter } from "../../ui/fields/composing.ts";

/** The message in other words while it is edited; null while it is not. */
const useDraft = keptState<string | null>(null);

interface UserBubbleProps {
  /** Unique in its conversation. */
  id: string;
  message: ChatMessage;
  /** Asks again in these words, or calls back where it could not; absent while that is not possible. */
  onResend?: (message: ChatMessage, onRefused: () => void) => void;
}

/** A question of so many characters stays in view while its answer is read, where the conversation is not too low for both. */
const shortQuestion = 200;

/** What the person said, which can be said differently. */
export function UserBubble({ id, message, onResend }: UserBubbleProps) {
  const [draft, setDraft] = useDraft(id);
  // An editor that comes back because the reader scrolled to it must not take the focus, nor move the view.
  const [opened, setOpened] = useState(false);
  if (draft !== null && onResend) {
    return (
      <BubbleEditor
        opened={opened}
        text={draft}
        mayBeEmpty={hasFiles(message)}
        onChange={setDraft}
        onCancel={() => setDraft(null)}
        onSend={(text) => {
          setDraft(null);
          onResend({ ...message, text }, () => setDraft(text));
        }}
      />
    );
  }
  const edit = () => {
    setOpened(true);
    setDraft(message.text);
  };
  const isShort = message.images.length === 0 && message.files === undefined && message.text.length <= shortQuestion;
  return (
    <div
      className={classNames(
        "group flex flex-col items-end gap-1 self-end",
        isShort ? "top-0 z-10 -mx-4 -my-1 w-[calc(100%+2rem)] bg-surface px-4 py-1 tall-log:sticky" : "max-w-full",
      )}
    >
      <MessageImages urls={message.images} />
      {message.files && <MessageFiles files={message.files} />}
      {message.inline && <InlineFiles files={message.inline} />}
      <div className="flex max-w-full items-center gap-1 pl-4">
        <div className="flex shrink-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          {message.text !== "" && <CopyButton text={() => message.text} label="Copy the message" />}
          {onResend && <IconButton size="sm" icon="pencil" label="Edit and ask again" onClick={edit} />}
        </div>
        {message.text !== "" && (
          <div className="min-w-0 rounded-lg bg-accent-soft px-3 py-2 text-base whitespace-pre-wrap wrap-anywhere">
            <span className="sr-only">You: </span>
            <div dir="auto">{message.text}</div>
          </div>
        )}
      </div>
    </div>
  );
}

function BubbleEditor(props: {
  opened: boolean;
  text: string;
  /** Files go with it, so it needs no words. */
  mayBeEmpty: boolean;
  onChange: (text: string) => void;
  onSend: (text: string) => void;
  onCancel: () => void;
}) {
  const { opened, text } = props;
  const canSend = props.mayBeEmpty || text.trim() !== "";
  const send = () => {
    if (canSend) props.onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      props.onCancel();
    }
    if (!isEnter(event) || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (opened) void form.current?.scrollIntoView({ block: "nearest" });
  }, [opened]);
  return (
    <form
      ref={form}
      className="flex w-full max-w-[85%] flex-col gap-2 self-end rounded-lg border bg-raised p-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        autoFocus={opened}
        aria-label="Edit the message"
        rows={1}
        maxRows={10}
        className="resize-none! text-base!"
        value={text}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-48 flex-1 text-xs text-muted max-sm:basis-full">
          The answers from here on are forgotten; their runs stay in the history.
        </p>
        <Button size="sm" onClick={props.onCancel}>
          Cancel
        </Button>
        <Button size="sm" type="submit" variant="primary" icon="send" disabled={!canSend}>
          Ask again
        </Button>
      </div>
    </form>
  );
}
