import { triggersOf } from "../../engine/document/triggers.ts";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useStore } from "zustand";
import { sourceNamed } from "../../engine/trust/taint.ts";
import { useDocumentStore, useEditor, useRunStore, useServices } from "../../state/editor/editor-context.tsx";
import { matchesKeys } from "../../state/commands/keymap.ts";
import { NewConversation } from "./new-conversation.ts";
import { SendMessage } from "./tool-app.ts";
import { keepChatSession, newSessionId, readChatSession } from "../../state/conversation/chat-session.ts";
import { panelStore } from "../../state/editor/panel-store.ts";
import type { RunControl, RunStart } from "../../state/run/run-control.ts";
import { type LogHandle, VirtualLog } from "../../ui/data/virtual-log/virtual-log.tsx";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatEmpty } from "./chat-empty.tsx";
import { ChatHints } from "./chat-hints.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ChatFind, type ChatSearch } from "./chat-find.tsx";
import { type ChatMessage, inputOf } from "./chat-message.ts";
import { type ChatRow, transcriptOf } from "./chat-row.ts";
import { turnsAfter, turnsOf, wordsOfRun } from "./chat-turns.ts";
import { memoryNotice } from "./memory-notice.ts";
import type { RenderReplay } from "./run-actions.tsx";
import { supersededRuns } from "./superseded-runs.ts";
import { UnsavedTurnsNotice } from "./unsaved-turns-notice.tsx";
import { useChatRows } from "./use-chat-rows.tsx";
import { useEarlierMessages } from "./use-earlier-messages.ts";
import { type Resend, useResend } from "./use-resend.ts";

interface ChatPanelProps {
  control: RunControl;
  /** What decides about a tool call that waits for a person; stands in its place of the conversation. */
  renderApproval: (callId: string) => ReactNode;
  /** Goes through a run of the conversation that has ended. */
  renderReplay?: RenderReplay;
  /** Stands above the input: what else waits for a person. */
  notice?: ReactNode;
  /** It is not the chat of the page's own workflow: hints about the run panel have no place in it. */
  aside?: boolean;
  /** Where this browser keeps which conversation is open; the workflow's id when absent. */
  place?: string;
  /** What is offered in the place of the demo model, where there is something better than a dialog. */
  offer?: ReactNode;
  /** Follows the last message, as a part of the conversation. */
  last?: ReactNode;
}

/** The conversation with an open workflow: what was said before (from its memory) and the runs of this tab. */
export function ChatPanel({
  control,
  renderApproval,
  renderReplay,
  notice,
  aside = false,
  place,
  offer,
  last,
}: ChatPanelProps) {
  const { workflowId, runs, registry } = useEditor();
  const storageKey = place ?? workflowId;
  const { readAhead } = useServices();
  const [sessionId, setSessionId] = useState(() => readChatSession(storageKey));
  const hasTrigger = useDocumentStore(({ document }) => triggersOf(document, registry, "message").length > 0);
  const notKept = useDocumentStore((state) => memoryNotice(state.document, registry));
  const started = useRunStore((state) => state.started);
  const superseded = useStore(supersededRuns, (state) => state.runIds);
  const earlier = useEarlierMessages(sessionId);
  const readAt = earlier.data?.readAt ?? 0;
  const turns = useMemo(() => {
    const held = runs.getState();
    const own = turnsOf(started, held, sessionId).filter((id) => !superseded.has(id));
    return turnsAfter(own, held, readAt);
  }, [started, superseded, runs, sessionId, readAt]);
  const log = useRef<LogHandle>(null);
  const [search, setSearch] = useState<ChatSearch | null>(null);

  const choose = useCallback(
    (next: string) => {
      setSearch(null);
      setSessionId(keepChatSession(storageKey, next));
    },
    [storageKey],
  );
  const begin = useCallback(() => choose(newSessionId()), [choose]);
  const { start } = control;
  const prepare = () => {
    control.prepare();
    readAhead?.(workflowId, sessionId);
  };
  const send = useCallback(
    (message: ChatMessage, options?: RunStart) => {
      const { files = [] } = message;
      return start(inputOf(message, sessionId), files.length > 0 ? { ...options, files } : options) !== null;
    },
    [start, sessionId],
  );
  const sendFromApp = useCallback(
    (text: string, toolName: string) =>
      send({ text, images: [] }, { untrusted: [sourceNamed(`the interface of ${toolName}`)] }),
    [send],
  );
  const resend = useResend({ sessionId, turns, send });
  const { progress } = control;
  const askAgain = useCallback<Resend>(
    (place, message, onRefused) => {
      // It may be on the screen a moment longer than it can be used.
      if (progress.getState().running) onRefused?.();
      else resend(place, message, onRefused);
    },
    [progress, resend],
  );
  // All turns of the conversation are drawn anew with it, which is to hold up neither an answer nor the run's last writes.
  const onResend = useDeferredValue(control.running || !hasTrigger ? undefined : askAgain);

  const said = useChatRows({ earlier, turns, onResend, renderApproval, renderReplay });
  useFirstRun(aside);
  const quiet = turns.length === 0 && earlier.data !== undefined && earlier.data.messages.length === 0;
  const spoken = quiet ? [...said, opening({ sessionId, hasTrigger, aside, notKept, send })] : said;
  const rows = last ? [...spoken, { key: "last", estimate: () => 240, render: () => last }] : spoken;
  const find = (next: ChatSearch) => {
    setSearch(next);
    if (next.key !== null) log.current?.show(next.key);
  };
  const openFind = () => setSearch((before) => before ?? { words: "", key: null });
  const onKeyDown = (event: KeyboardEvent) => {
    // Pressed once more, it is the browser's own search.
    if (search !== null || !matchesKeys(event, "mod+f")) return;
    event.preventDefault();
    openFind();
  };
  return (
    <section
      aria-label={aside ? "Conversation with the assistant" : "Chat"}
      className="flex h-full min-h-0 flex-col bg-surface"
      onKeyDown={onKeyDown}
    >
      <ChatHeader
        sessionId={sessionId}
        question={turns[0] === undefined ? "" : wordsOfRun(runs.getState(), turns[0]).question}
        disabled={control.running}
        onChoose={choose}
        onNew={begin}
        isOpen={(session) => readChatSession(storageKey) === session}
        onFind={openFind}
        transcript={rows.some((row) => row.transcript) ? () => transcriptOf(rows) : null}
      />
      {search !== null && <ChatFind rows={rows} search={search} onChange={find} onClose={() => setSearch(null)} />}
      <NewConversation value={begin}>
        <SendMessage value={aside ? undefined : sendFromApp}>
          <VirtualLog
            key={sessionId}
            handle={log}
            label={aside ? "Messages with the assistant" : "Conversation"}
            busy={control.running}
            rows={rows}
            newest={turns.at(-1) ?? ""}
            found={
              search?.key === undefined || search.key === null ? null : { key: search.key, words: search.words.trim() }
            }
          />
        </SendMessage>
      </NewConversation>
      {notice}
      <UnsavedTurnsNotice />
      <ChatHints aside={aside} offer={offer} />
      <Composer
        place={storageKey}
        conversation={sessionId}
        disabled={!hasTrigger}
        progress={control.progress}
        aside={aside}
        onType={prepare}
        onSend={send}
        onStop={control.stop}
      />
    </section>
  );
}

/** Notices the first run of this browser that is completed. */
function useFirstRun(aside: boolean): void {
  const done = useRunStore(({ started, runs }) => started.find((id) => runs[id]?.status === "completed"));
  useEffect(() => {
    if (done !== undefined && !aside) panelStore.getState().celebrate(done);
  }, [done, aside]);
}

type ComposerProps = Omit<ComponentProps<typeof ChatComposer>, "running"> & {
  progress: RunControl["progress"];
};

/** The input: alone it is drawn anew when an answer is complete, so that it is free at once. */
function Composer({ progress, ...composer }: ComposerProps) {
  const running = useStore(progress, (state) => state.running && !state.answered);
  return <ChatComposer {...composer} running={running} />;
}

interface Opening {
  sessionId: string;
  hasTrigger: boolean;
  aside: boolean;
  /** What a reload would not bring back. */
  notKept: string;
  send: (message: ChatMessage) => boolean;
}

/** What stands in a conversation before its first message. */
function opening({ sessionId, hasTrigger, aside, notKept, send }: Opening): ChatRow {
  const render = () => (
    <>
      <ChatEmpty
        sessionId={sessionId}
        hasTrigger={hasTrigger}
        aside={aside}
        onPick={(text) => send({ text, images: [] })}
      />
      {hasTrigger && notKept !== "" && <p className="text-center text-xs text-muted">{notKept}</p>}
    </>
  );
  return { key: "opening", estimate: () => 200, render };
}
