import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { usePanelStore } from "../../stores/panel-store.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Textarea } from "../../ui/textarea.tsx";

interface ChatComposerProps {
  workflowId: string;
  disabled: boolean;
  running: boolean;
  /** Returns whether the message was taken; if not it stays in the input. */
  onSend: (message: string) => boolean;
  onStop: () => void;
}

/** Unsent text by workflow, kept while the panel shows another tab. */
const drafts = new Map<string, string>();

/** Where messages are typed: Enter sends, Shift+Enter breaks the line. */
export function ChatComposer({ workflowId, disabled, running, onSend, onStop }: ChatComposerProps) {
  const [text, setText] = useState(() => drafts.get(workflowId) ?? "");
  const input = useRef<HTMLTextAreaElement>(null);
  const focusWish = usePanelStore((state) => state.chatFocus);

  useEffect(() => {
    if (focusWish > 0) input.current?.focus();
  }, [focusWish]);

  const change = (next: string) => {
    drafts.set(workflowId, next);
    setText(next);
  };
  const send = () => {
    const message = text.trim();
    if (message !== "" && !running && !disabled && onSend(message)) change("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <div className="shrink-0 border-t px-3 py-2">
      <form
        className="mx-auto flex w-full max-w-3xl items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Textarea
          ref={input}
          aria-label="Message"
          placeholder={disabled ? "Add a chat trigger to talk to this workflow" : "Ask something"}
          rows={1}
          maxRows={8}
          className="resize-none! text-base!"
          value={text}
          disabled={disabled}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
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
            disabled={disabled || text.trim() === ""}
          />
        )}
      </form>
    </div>
  );
}
