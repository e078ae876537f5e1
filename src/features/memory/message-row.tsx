import { useState } from "react";
import { type Message, messageText, toolCalls } from "../../engine/model/message.ts";
import type { MemoryEntry } from "../../services/services.ts";
import { Badge, type BadgeTone } from "../../ui/feedback/badge.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { LongText } from "../../ui/data/long-text.tsx";
import { TextEditor } from "./text-editor.tsx";
import { withText } from "./edit-message.ts";

const tones: Record<Message["role"], BadgeTone> = {
  system: "neutral",
  user: "accent",
  assistant: "model",
  tool: "tool",
};

interface MessageRowProps {
  entry: MemoryEntry;
  busy: boolean;
  /** Another message in its place; null deletes it. */
  onChange: (message: Message | null) => Promise<void>;
}

/** One remembered message, with the ways to edit and delete it. */
export function MessageRow({ entry, busy, onChange }: MessageRowProps) {
  const { message, at, stored, unreadable } = entry;
  const [mode, setMode] = useState<"read" | "edit" | "delete">("read");
  const text = messageText(message);
  const name =
    message.role === "tool" && !unreadable
      ? `tool · ${message.toolName}${message.ok ? "" : message.rejected ? " · rejected" : " · failed"}`
      : message.role;
  const back = () => setMode("read");

  return (
    <li className="group flex flex-col gap-1 border-b px-4 py-2 last:border-b-0">
      <div className="flex min-h-7 items-center gap-2">
        <Badge tone={tones[message.role]}>{name}</Badge>
        {at !== undefined && (
          <time dateTime={at} className="text-xs text-muted numeric">
            {formatMoment(Date.parse(at))}
          </time>
        )}
        {stored !== undefined && <Badge>encrypted</Badge>}
        <span className="ml-auto flex items-center gap-1">
          {mode === "delete" ? (
            <>
              <span className="text-xs text-muted">Delete this message?</span>
              <Button size="sm" variant="danger" busy={busy} autoFocus onClick={() => void onChange(null).catch(back)}>
                Delete
              </Button>
              <Button size="sm" variant="ghost" onClick={back}>
                Keep
              </Button>
            </>
          ) : (
            <>
              {!unreadable && (
                <IconButton
                  size="sm"
                  icon="pencil"
                  label="Edit this message"
                  disabled={busy}
                  onClick={() => setMode("edit")}
                />
              )}
              <IconButton
                size="sm"
                icon="trash-2"
                label="Delete this message"
                disabled={busy}
                onClick={() => setMode("delete")}
              />
            </>
          )}
        </span>
      </div>
      {unreadable ? (
        <p className="text-sm text-danger">
          {unreadable.message} <span className="text-muted">{unreadable.hint}</span>
        </p>
      ) : mode === "edit" ? (
        <TextEditor
          label="Text of the message"
          text={text}
          busy={busy}
          onSave={(next) => void onChange(withText(message, next)).then(back, () => undefined)}
          onCancel={back}
        />
      ) : (
        <LongText text={text} />
      )}
      {message.role === "assistant" &&
        toolCalls(message).map((call) => (
          <p key={call.callId} className="font-mono text-xs text-muted wrap-anywhere">
            <span className="text-role-tool">
              calls <bdi>{call.toolName}</bdi>
            </span>{" "}
            <bdi>{call.arguments}</bdi>
          </p>
        ))}
    </li>
  );
}
