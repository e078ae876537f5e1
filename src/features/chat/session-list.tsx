import { useState } from "react";
import { unsearchedNote } from "../../state/conversation/conversation-titles.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Input } from "../../ui/fields/input.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import type { ChatSessions } from "./use-chat-sessions.ts";

interface SessionListProps {
  list: ChatSessions;
  search: string;
  onSearch: (search: string) => void;
  current: string;
  onChoose: (sessionId: string) => void;
  onNew: () => void;
  /** Called once a conversation is deleted; another one may be open by then. */
  onRemoved: (sessionId: string) => void;
}

/** The conversations of a workflow: turn to one, name it, delete it. */
export function SessionList({ list, search, onSearch, current, onChoose, onNew, onRemoved }: SessionListProps) {
  const { sessions, nameOf, rename, remove, isRemoving } = list;
  const [renaming, setRenaming] = useState<string | null>(null);
  const known = sessions.rows ?? [];
  const rows = [
    ...known.filter(({ sessionId }) => sessionId === current),
    ...known.filter(({ sessionId }) => sessionId !== current),
  ];
  return (
    <div className="flex w-80 max-w-[calc(100vw-48px)] flex-col gap-2">
      <Button size="sm" icon="plus" onClick={onNew}>
        New conversation
      </Button>
      {sessions.isPending && <Spinner label="Loading the conversations" />}
      {sessions.isError && <LoadFailure error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {(search !== "" || sessions.hasNextPage) && (
        <SearchField
          what="conversations"
          value={search}
          onChange={onSearch}
          note={unsearchedNote(sessions.first?.unsearched)}
        />
      )}
      {sessions.isSuccess && rows.length === 0 && (
        <p className="text-center text-xs text-muted">
          {search === ""
            ? "Nothing is remembered yet. A conversation appears here after its first answer."
            : "No conversation has that name."}
        </p>
      )}
      <ul aria-label="Conversations" className="-mx-1 max-h-72 overflow-y-auto">
        {rows.map(({ sessionId, messages, lastUsedAt }) =>
          renaming === sessionId ? (
            <li key={sessionId} className="p-1">
              <form
                className="flex gap-1"
                onSubmit={(event) => {
                  event.preventDefault();
                  const name = new FormData(event.currentTarget).get("name");
                  rename(sessionId, typeof name === "string" ? name : "");
                  setRenaming(null);
                }}
              >
                <Input
                  size="sm"
                  autoFocus
                  name="name"
                  aria-label="Name of the conversation"
                  placeholder={nameOf(sessionId)}
                  maxLength={100}
                  defaultValue={nameOf(sessionId) === sessionId ? "" : nameOf(sessionId)}
                  title={sessionId}
                  onKeyDown={(event) => {
                    if (event.key !== "Escape") return;
                    event.stopPropagation();
                    setRenaming(null);
                  }}
                />
                <IconButton size="sm" type="submit" icon="check" label="Save the name" />
              </form>
            </li>
          ) : (
            <li
              key={sessionId}
              className="flex items-center gap-0.5 rounded-md hover:bg-hover aria-current:bg-accent-soft"
              aria-current={sessionId === current ? true : undefined}
            >
              <button
                type="button"
                className="min-w-0 flex-1 rounded-md px-2 py-1 text-left"
                title={`Session ${sessionId}`}
                onClick={() => onChoose(sessionId)}
              >
                <span className="block truncate">{nameOf(sessionId)}</span>
                <span className="block truncate text-xs text-muted numeric">
                  {messages} {messages === 1 ? "message" : "messages"} · {formatMoment(Date.parse(lastUsedAt))}
                </span>
              </button>
              <IconButton
                size="sm"
                icon="pencil"
                label={`Rename ${nameOf(sessionId)}`}
                onClick={() => setRenaming(sessionId)}
              />
              <IconButton
                size="sm"
                icon="trash-2"
                label={`Delete ${nameOf(sessionId)}`}
                disabled={isRemoving(sessionId)}
                onClick={() => void remove(sessionId).then((gone) => gone && onRemoved(sessionId))}
              />
            </li>
          ),
        )}
      </ul>
      <LoadMore
        shown={rows.length}
        total={sessions.first?.total ?? 0}
        what="conversations"
        busy={sessions.isFetchingNextPage}
        onMore={sessions.hasNextPage ? () => void sessions.fetchNextPage() : undefined}
      />
    </div>
  );
}
