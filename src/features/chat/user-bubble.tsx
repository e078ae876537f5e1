import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { MessageImages } from "./message-images.tsx";

interface UserBubbleProps {
  message: ChatMessage;
  /** Asks again in these words; absent while that is not possible. */
  onResend?: (message: ChatMessage) => void;
}

/** What the person said, which can be said differently. */
export function UserBubble({ message, onResend }: UserBubbleProps) {
  const [editing, setEditing] = useState(false);
  if (editing && onResend) {
    return (
      <BubbleEditor
        text={message.text}
        onCancel={() => setEditing(false)}
        onSend={(text) => {
          setEditing(false);
          onResend({ ...message, text });
        }}
      />
    );
  }
  return (
    <div className="group flex max-w-full flex-col items-end gap-1 self-end">
      <MessageImages urls={message.images} />
      <div className="flex max-w-full items-center gap-1 pl-4">
        <div className="flex shrink-0 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <CopyButton text={() => message.text} label="Copy the message" />
          {onResend && (
            <IconButton size="sm" icon="pencil" label="Edit and ask again" onClick={() => setEditing(true)} />
          )}
        </div>
        <div className="min-w-0 rounded-lg bg-accent-soft px-3 py-2 text-base whitespace-pre-wrap wrap-anywhere">
          <span className="sr-only">You: </span>
          <div dir="auto">{message.text}</div>
        </div>
      </div>
    </div>
  );
}

function BubbleEditor(props: { text: string; onSend: (text: string) => void; onCancel: () => void }) {
  const [text, setText] = useState(props.text);
  const send = () => {
    if (text.trim() !== "") props.onSend(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      props.onCancel();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    void form.current?.scrollIntoView({ block: "nearest" });
  }, []);
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
        autoFocus
        aria-label="Edit the message"
        rows={1}
        maxRows={10}
        className="resize-none! text-base!"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-48 flex-1 text-xs text-muted max-sm:basis-full">
          The answers from here on are forgotten; their runs stay in the history.
        </p>
        <Button size="sm" onClick={props.onCancel}>
          Cancel
        </Button>
        <Button size="sm" type="submit" variant="primary" icon="send" disabled={text.trim() === ""}>
          Ask again
        </Button>
      </div>
    </form>
  );
}
