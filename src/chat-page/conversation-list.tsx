import { useState } from "react";
import { useStore } from "zustand";
import { Button } from "../ui/buttons/button.tsx";
import { classNames } from "../ui/theme/class-names.ts";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import type { ChatSession } from "./chat-session.ts";

/** This visitor's conversations, the latest first. */
export function ConversationList({ session, onChosen }: { session: ChatSession; onChosen?: () => void }) {
  const threads = useStore(session.store, (state) => state.threads);
  const current = useStore(session.store, (state) => state.threadId);
  const [leaving, setLeaving] = useState<string | null>(null);

  const choose = (threadId: string | null) => {
    if (threadId === null || threadId !== current) void session.open(threadId);
    onChosen?.();
  };
  return (
    <>
      <div className="p-3">
        <Button icon="plus" className="w-full" onClick={() => choose(null)}>
          New conversation
        </Button>
      </div>
      <ul className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-3 pb-3">
        {threads.map(({ id, title }) => (
          <li
            key={id}
            className={classNames(
              "group flex items-center gap-1 rounded-md hover:bg-hover",
              id === current && "bg-hover font-medium",
            )}
          >
            {leaving === id ? (
              <div className="flex min-w-0 flex-1 items-center gap-1 p-1">
                <span className="min-w-0 flex-1 truncate pl-1">Delete this?</span>
                <Button size="sm" onClick={() => setLeaving(null)}>
                  Keep
                </Button>
                <Button
                  size="sm"
                  variant="danger"
                  autoFocus
                  onClick={() => {
                    setLeaving(null);
                    void session.remove(id);
                  }}
                >
                  Delete
                </Button>
              </div>
            ) : (
              <>
                <button
                  type="button"
                  aria-current={id === current || undefined}
                  className="min-h-10 min-w-0 flex-1 truncate rounded-md px-2 text-start text-sm"
                  dir="auto"
                  onClick={() => choose(id)}
                >
                  {title}
                </button>
                <IconButton
                  size="sm"
                  icon="trash-2"
                  label={`Delete “${title}”`}
                  className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
                  onClick={() => setLeaving(id)}
                />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
