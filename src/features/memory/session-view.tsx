import { useMutation } from "@tanstack/react-query";
import { useConversationTitles } from "../../state/conversation/conversation-titles.ts";
import { useServices } from "../../state/editor/editor-context.tsx";
import type { SessionAddress, TimedMessage } from "../../services/services.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/theme/class-names.ts";
import { downloadJson } from "../../ui/data/download-json.ts";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import type { NamedPlace } from "./memory-places.ts";
import { besides, type SessionContent, useEncryption, useRefreshMemory, useSession } from "./memory-queries.ts";
import { MessageList } from "./message-list.tsx";
import { ScratchpadSection } from "./scratchpad-section.tsx";
import { sessionFileName, toSessionFile } from "./session-file.ts";
import { SummarySection } from "./summary-section.tsx";

interface SessionViewProps {
  named: NamedPlace;
  session: SessionAddress;
  /** Called once nothing is left of it. */
  onGone: () => void;
}

/** One conversation: what it holds, and what can be done with it. */
export function SessionView({ named, session, onGone }: SessionViewProps) {
  const content = useSession(named.key, session);
  if (content.isPending) {
    return (
      <div className="flex justify-center p-8 text-muted">
        <Spinner label="Loading the conversation" />
      </div>
    );
  }
  if (content.isLoadingError) {
    return (
      <div className="p-3">
        <LoadFailure error={content.error} onRetry={() => void content.refetch()} />
      </div>
    );
  }
  return (
    <>
      <SessionHeader named={named} session={session} content={content.data} onGone={onGone} />
      <SummarySection session={session} content={content.data} />
      <MessageList session={session} entries={content.data.entries} />
      <ScratchpadSection session={session} content={content.data} />
    </>
  );
}

function SessionHeader({ named, session, content, onGone }: SessionViewProps & { content: SessionContent }) {
  const { memory } = useServices();
  const refresh = useRefreshMemory();
  const encryption = useEncryption();
  const { entries, notes, summary, padEntry } = content;
  const { sessionId } = session;
  const title = useConversationTitles(session.place, [session])(session);

  function exportSession() {
    const exportedAt = new Date().toISOString();
    const shown = summary && { text: summary.text, messages: summary.messages };
    downloadJson(
      sessionFileName(sessionId),
      toSessionFile({
        sessionId,
        messages: entries.filter((entry) => !entry.unreadable),
        notes,
        summary: shown,
        exportedAt,
      }),
    );
  }

  async function restore(messages: readonly TimedMessage[], notesMessage: TimedMessage | undefined) {
    try {
      if (messages.length > 0) await memory.append(session, messages, encryption);
      if (notesMessage) await memory.append(besides(session, "scratchpad"), [notesMessage], encryption);
    } catch (error) {
      showError(error);
    }
    await refresh();
  }

  const clearing = useMutation({
    // What is there now, for Undo: by then nothing of it is shown any more.
    mutationFn: async (_kept: { messages: readonly TimedMessage[]; notesMessage: TimedMessage | undefined }) => {
      await memory.clear(besides(session, "summary"));
      await memory.clear(besides(session, "scratchpad"));
      await memory.clear(session);
    },
    onSuccess: (_done, { messages, notesMessage }) => {
      onGone();
      showToast(`The conversation "${title ?? sessionId}" was cleared.`, {
        action: { label: "Undo", onClick: () => void restore(messages, notesMessage) },
      });
    },
    onError: (error) => showError(error),
    onSettled: refresh,
  });

  const clear = () => clearing.mutate({ messages: entries, notesMessage: padEntry });

  return (
    <header className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
      <div className="min-w-40 flex-1">
        <h2 className={classNames("truncate text-sm font-medium", title === undefined && "font-mono")}>
          {title ?? sessionId}
        </h2>
        <p className="truncate text-xs text-muted">
          {named.title} · {session.workflowId === null ? "all workflows" : "this workflow"} · session{" "}
          <span className="font-mono">{sessionId}</span>
        </p>
      </div>
      <Button size="sm" variant="ghost" icon="download" onClick={exportSession}>
        Export
      </Button>
      <Button size="sm" variant="ghost" icon="trash-2" busy={clearing.isPending} onClick={clear}>
        Clear
      </Button>
    </header>
  );
}
