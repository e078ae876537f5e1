import { type ReactNode, useCallback, useState } from "react";
import { useDocumentStore, useEditor, useRunStore } from "../../stores/editor-context.tsx";
import { keepChatSession, newSessionId, readChatSession } from "../../stores/chat-session.ts";
import type { RunControl } from "../../stores/run-control.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatEmpty } from "./chat-empty.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ChatLog } from "./chat-log.tsx";
import { EarlierMessages } from "./earlier-messages.tsx";
import { isTurnOf } from "./chat-turns.ts";
import { ChatTurn } from "./chat-turn.tsx";
import { useEarlierMessages } from "./use-earlier-messages.ts";

/**
 * The conversation with an open workflow: what was said before (from its memory) and the runs of this tab. `notice`
 * stands above the input, such as a tool call that waits for approval.
 */
export function ChatPanel({ control, notice }: { control: RunControl; notice?: ReactNode }) {
  const { workflowId, runs } = useEditor();
  const [sessionId, setSessionId] = useState(() => readChatSession(workflowId));
  const hasTrigger = useDocumentStore(hasChatTrigger);
  const started = useRunStore((state) => state.started);
  const turns = started.filter((runId) => isTurnOf(runs.getState().runs[runId], sessionId));
  const earlier = useEarlierMessages(sessionId);

  const choose = useCallback((next: string) => setSessionId(keepChatSession(workflowId, next)), [workflowId]);
  const { start } = control;
  const send = useCallback((message: string) => start({ message, sessionId }) !== null, [start, sessionId]);

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
        <EarlierMessages query={earlier} />
        {turns.map((runId, index) => (
          <ChatTurn
            key={runId}
            runId={runId}
            onRetry={!control.running && index === turns.length - 1 ? send : undefined}
          />
        ))}
        {quiet && <ChatEmpty hasTrigger={hasTrigger} onPick={send} />}
      </ChatLog>
      {notice}
      <ChatComposer
        workflowId={workflowId}
        disabled={!hasTrigger}
        running={control.running}
        onSend={send}
        onStop={control.stop}
      />
    </section>
  );
}

function hasChatTrigger({ document }: { document: { nodes: Record<string, { type: string; disabled?: boolean }> } }) {
  return Object.values(document.nodes).some((node) => node.type === "chat-trigger" && node.disabled !== true);
}
