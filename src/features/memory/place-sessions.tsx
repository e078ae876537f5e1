import { useState } from "react";
import { unsearchedNote, useConversationTitles } from "../../state/conversation/conversation-titles.ts";
import { useEditor } from "../../state/editor/editor-context.tsx";
import type { Conversation } from "../../services/services.ts";
import { useSettled } from "../../state/shared/use-pages.ts";
import { Badge } from "../../ui/feedback/badge.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { FilePicker } from "../../ui/fields/file-picker.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { takeText } from "../../ui/text/take-text.ts";
import { showToast } from "../../ui/feedback/toast.tsx";
import type { ChosenSession } from "./chosen-session.ts";
import { formatBytes } from "../../ui/text/format-bytes.ts";
import { ImportDialog } from "./import-dialog.tsx";
import type { NamedPlace } from "./memory-places.ts";
import { useConversations } from "./memory-queries.ts";
import { readSessionFile, type SessionFile } from "./session-file.ts";

interface PlaceSessionsProps {
  named: NamedPlace;
  chosen: ChosenSession | null;
  onChoose: (session: ChosenSession) => void;
}

/** The conversations of one place, the latest used first. */
export function PlaceSessions({ named, chosen, onChoose }: PlaceSessionsProps) {
  const { workflowId } = useEditor();
  const [search, setSearch] = useState("");
  const settled = useSettled(search);
  const found = useConversations(named, settled);
  const shown = found.rows ?? [];
  const isSearched = search !== "" || settled !== "";
  const titleOf = useConversationTitles(named.place, shown);
  const [file, setFile] = useState<SessionFile | null>(null);

  function read(text: string) {
    const result = readSessionFile(text);
    if (result.ok) setFile(result.file);
    else showToast("This file was not imported.", { hint: result.problem }, "error");
  }

  const open = (session: Pick<Conversation, "workflowId" | "sessionId">) =>
    onChoose({ placeKey: named.key, workflowId: session.workflowId, sessionId: session.sessionId });

  return (
    <section className="border-b last:border-b-0">
      <header className="flex h-9 items-center gap-2 pr-1 pl-3">
        <h3 className="min-w-0 flex-1 truncate text-xs font-semibold text-muted">{named.title}</h3>
        {found.isFetching && <Spinner size={12} />}
        <FilePicker
          label={`Conversation file for ${named.title}`}
          accept=".json,application/json"
          onFiles={([chosen]) => void takeText(chosen, read)}
          trigger={<IconButton size="sm" icon="upload" label={`Import a conversation: ${named.title}`} />}
        />
      </header>
      {found.isLoadingError ? (
        <div className="px-3 pb-3">
          <LoadFailure error={found.error} onRetry={() => void found.refetch()} />
        </div>
      ) : (
        <ul aria-label={`Conversations: ${named.title}`}>
          {(isSearched || found.hasNextPage) && (
            <li className="px-3 pb-2">
              <SearchField
                what="conversations"
                value={search}
                onChange={setSearch}
                note={unsearchedNote(found.first?.unsearched)}
              />
            </li>
          )}
          {found.isSuccess && shown.length === 0 && (
            <li className="px-3 pb-3 text-muted">
              {isSearched ? "No conversation has that name." : "Nothing is remembered here yet."}
            </li>
          )}
          {shown.map((conversation) => (
            <li key={JSON.stringify([conversation.workflowId, conversation.sessionId])}>
              <SessionButton
                conversation={conversation}
                title={titleOf(conversation)}
                open={
                  chosen?.placeKey === named.key &&
                  chosen.workflowId === conversation.workflowId &&
                  chosen.sessionId === conversation.sessionId
                }
                onClick={() => open(conversation)}
              />
            </li>
          ))}
          {found.hasNextPage && (
            <li className="px-3 pb-2">
              <LoadMore
                shown={shown.length}
                total={found.first?.total ?? 0}
                what="conversations"
                busy={found.isFetchingNextPage}
                onMore={() => void found.fetchNextPage()}
              />
            </li>
          )}
        </ul>
      )}
      {file && (
        <ImportDialog
          file={file}
          place={named.place}
          workflowId={workflowId}
          onClose={() => setFile(null)}
          onImported={(sessionId) => open({ workflowId, sessionId })}
        />
      )}
    </section>
  );
}

interface SessionButtonProps {
  conversation: Conversation;
  /** What it is called by its first question. */
  title: string | undefined;
  open: boolean;
  onClick: () => void;
}

function SessionButton({ conversation, title, open, onClick }: SessionButtonProps) {
  const { sessionId, workflowId, messages, bytes, lastUsedAt, notes, summarised } = conversation;
  return (
    <button
      type="button"
      aria-current={open}
      className={classNames(
        "flex w-full flex-col gap-0.5 px-3 py-1.5 text-left outline-offset-[-2px]",
        open ? "bg-accent-soft" : "hover:bg-hover",
      )}
      onClick={onClick}
    >
      <span className="flex w-full items-center gap-1.5">
        <span className={classNames("min-w-0 flex-1 truncate text-ink", title === undefined && "font-mono text-xs")}>
          {title ?? sessionId}
        </span>
        {workflowId === null && <Badge tone="memory">all workflows</Badge>}
        {notes && <Badge>notes</Badge>}
        {summarised && <Badge>summary</Badge>}
      </span>
      <span className="flex w-full gap-3 text-xs text-muted numeric">
        <span className="whitespace-nowrap">
          {messages} {messages === 1 ? "message" : "messages"}
        </span>
        <span className="whitespace-nowrap">{formatBytes(bytes)}</span>
        {title !== undefined && <span className="min-w-0 truncate font-mono">{sessionId}</span>}
        <time dateTime={lastUsedAt} className="ml-auto whitespace-nowrap">
          {formatMoment(Date.parse(lastUsedAt))}
        </time>
      </span>
    </button>
  );
}
