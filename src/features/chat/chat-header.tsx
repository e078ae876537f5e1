import { useState } from "react";
import { useSettled } from "../../state/shared/use-pages.ts";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Icon } from "../../ui/icons/icon.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Popover } from "../../ui/overlays/popover.tsx";
import { SessionList } from "./session-list.tsx";
import { useChatSessions } from "./use-chat-sessions.ts";

interface ChatHeaderProps {
  sessionId: string;
  /** The first one that was asked in this tab; it names a conversation that is not stored yet. */
  question: string;
  disabled: boolean;
  onChoose: (sessionId: string) => void;
  onNew: () => void;
  /** Whether the conversation is open now, whatever was open when this was drawn. */
  isOpen: (sessionId: string) => boolean;
  onFind: () => void;
  /** The whole conversation as text, made when it is copied; null where nothing was said. */
  transcript: (() => string) | null;
}

/** Letters of a question that name its conversation. */
const nameLength = 80;

/** Which conversation this is, the way to earlier ones, and to a new one. */
export function ChatHeader({
  sessionId,
  question,
  disabled,
  onChoose,
  onNew,
  isOpen,
  onFind,
  transcript,
}: ChatHeaderProps) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const list = useChatSessions({ enabled: open, search: settled, current: sessionId });
  const known = list.nameOf(sessionId);
  // An id says nothing to a person.
  const unnamed = transcript === null ? "New" : "Untitled";
  const name = known !== sessionId ? known : question.trim().slice(0, nameLength) || unnamed;
  const leave = (go: () => void) => {
    setOpen(false);
    go();
  };
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 pr-2 pl-3 text-xs text-muted">
      <span>Conversation</span>
      <Popover
        label="Conversations"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            disabled={disabled}
            className="flex h-6 min-w-0 items-center gap-1 rounded-md px-1.5 text-ink hover:bg-hover disabled:opacity-50"
          >
            <span className="truncate">{name}</span>
            <Icon name="chevron-down" size={12} />
          </button>
        }
      >
        <SessionList
          list={list}
          search={search}
          onSearch={setSearch}
          current={sessionId}
          onChoose={(next) => leave(() => onChoose(next))}
          onNew={() => leave(onNew)}
          onRemoved={(gone) => isOpen(gone) && leave(onNew)}
        />
      </Popover>
      <span className="flex-1" />
      <IconButton size="sm" icon="search" label="Find in this conversation" shortcut="mod+f" onClick={onFind} />
      {transcript && <CopyButton text={transcript} label="Copy the conversation" />}
      <IconButton size="sm" icon="plus" label="New conversation" disabled={disabled} onClick={onNew} />
    </div>
  );
}
