import { type ReactNode, useCallback, useState } from "react";
import { useStore } from "zustand";
import { useDocumentStore, useEditor, useRunStore } from "../../stores/editor-context.tsx";
import { keepChatSession, newSessionId, readChatSession } from "../../stores/chat-session.ts";
import type { RunControl } from "../../stores/run-control.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatEmpty } from "./chat-empty.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ChatLog } from "./chat-log.tsx";
import { type ChatMessage, inputOf } from "./chat-message.ts";
import { ChatTurn } from "./chat-turn.tsx";
import { isTurnOf } from "./chat-turns.ts";
import { EarlierMessages } from "./earlier-messages.tsx";
import { keptWords } from "./kept-words.ts";
import { supersededRuns } from "./superseded-runs.ts";
import { UnsavedTurnsNotice } from "./unsaved-turns-notice.tsx";
import { useEarlierMessages } from "./use-earlier-messages.ts";
import { useResend } from "./use-resend.ts";

interface ChatPanelProps {
  control: RunControl;
  /** What decides about a tool call that waits for a person; stands in its place of the conversation. */
  renderApproval: (callId: string) => ReactNode;
  /** Stands above the input: what else waits for a person. */
  notice?: ReactNode;
}

/** The conversation with an open workflow: what was said before (from its memory) and the runs of this tab. */
export function ChatPanel({ control, renderApproval, notice }: ChatPanelProps) {
  const { workflowId, runs, registry } = useEditor();
  const [sessionId, setSessionId] = useState(() => readChatSession(workflowId));
  const hasTrigger = useDocumentStore(hasChatTrigger);
  const notKept = useDocumentStore((state) => keptWords(state.document, registry));
  const started = useRunStore((state) => state.started);
  const superseded = useStore(supersededRuns, (state) => state.runIds);
  const turns = started.filter((id) => !superseded.has(id) && isTurnOf(runs.getState().runs[id], sessionId));
  const earlier = useEarlierMessages(sessionId);

  const choose = useCallback((next: string) => setSessionId(keepChatSession(workflowId, next)), [workflowId]);
  const { start } = control;
  const send = useCallback((message: ChatMessage) => start(inputOf(message, sessionId)) !== null, [start, sessionId]);
  const { resend, busy } = useResend({ sessionId, turns, send });
  const onResend = control.running || busy || !hasTrigger ? undefined : resend;

  const quiet = turns.length === 0 && earlier.data !== undefined && earlier.data.length === 0;
  return (
    <section aria-label="Chat" className="flex h-full min-h-0 flex-col bg-surface">
      <ChatHeader
        sessionId={sessionId}
        disabled={control.running}
        onChoose={choose}
        onNew={() => choose(newSessionId())}
      />
      <ChatLog busy={control.running} turns={turns.length}>
        <EarlierMessages query={earlier} onResend={onResend} />
        {turns.map((runId) => (
          <ChatTurn key={runId} runId={runId} onResend={onResend} renderApproval={renderApproval} />
        ))}
        {quiet && (
          <ChatEmpty sessionId={sessionId} hasTrigger={hasTrigger} onPick={(text) => send({ text, images: [] })} />
        )}
        {quiet && hasTrigger && notKept !== "" && <p className="text-center text-xs text-muted">{notKept}</p>}
      </ChatLog>
      {notice}
      <UnsavedTurnsNotice />
      <ChatComposer
        workflowId={workflowId}
        disabled={!hasTrigger}
        running={control.running || busy}
        onSend={send}
        onStop={control.stop}
      />
    </section>
  );
}

function hasChatTrigger({ document }: { document: { nodes: Record<string, { type: string; disabled?: boolean }> } }) {
  return Object.values(document.nodes).some((node) => node.type === "chat-trigger" && node.disabled !== true);
}
