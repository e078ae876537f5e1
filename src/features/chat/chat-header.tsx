import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readSessionName } from "../../engine/agent/session-sides.ts";
import { useEditor, useServices } from "../../stores/editor-context.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";

interface ChatHeaderProps {
  sessionId: string;
  disabled: boolean;
  onChoose: (sessionId: string) => void;
  onNew: () => void;
}

const mostListed = 12;

/** Which conversation this is, the way to earlier ones, and to a new one. */
export function ChatHeader({ sessionId, disabled, onChoose, onNew }: ChatHeaderProps) {
  const { workflowId } = useEditor();
  const { memory } = useServices();
  const [open, setOpen] = useState(false);
  const sessions = useQuery({
    queryKey: ["chat-sessions", workflowId],
    queryFn: async () => {
      const found = await memory.sessions({ storage: "postgres" }, workflowId);
      return found.filter((session) => session.workflowId !== null && readSessionName(session.sessionId).side === null);
    },
    enabled: open,
    staleTime: 0,
  });
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 pr-2 pl-3 text-xs text-muted">
      <span>Session</span>
      <Menu
        align="start"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            disabled={disabled}
            className="flex h-6 min-w-0 items-center gap-1 rounded-md px-1.5 font-mono text-ink hover:bg-hover disabled:opacity-50"
          >
            <span className="truncate">{sessionId}</span>
            <Icon name="chevron-down" size={12} />
          </button>
        }
        items={sessionItems(sessions.data?.map((session) => session.sessionId) ?? [], sessionId, onChoose)}
      />
      <span className="flex-1" />
      <IconButton size="sm" icon="plus" label="New conversation" disabled={disabled} onClick={onNew} />
    </div>
  );
}

function sessionItems(remembered: string[], current: string, onChoose: (sessionId: string) => void): MenuItem[] {
  const others = remembered.filter((id) => id !== current).slice(0, mostListed);
  const items: MenuItem[] = [{ heading: "Remembered conversations" }];
  for (const id of [current, ...others])
    items.push({ label: id, checked: id === current, onSelect: () => onChoose(id) });
  return items;
}
