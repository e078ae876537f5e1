import { type ReactNode, useMemo } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useStore } from "zustand";
import { useEditor } from "../../state/editor/editor-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { type ChatRow, speech } from "./chat-row.ts";
import { ChatTurn } from "./chat-turn.tsx";
import { pastRows, readPastTurns } from "./past-rows.tsx";
import { type EarlierMessages, wordsOfRun } from "./chat-turns.ts";
import type { RenderReplay } from "./run-actions.tsx";
import { supersededRuns } from "./superseded-runs.ts";
import type { Resend } from "./use-resend.ts";

interface Conversation {
  earlier: UseQueryResult<EarlierMessages>;
  /** Runs of this tab, oldest first. */
  turns: readonly string[];
  /** Absent while nothing can be asked. */
  onResend?: Resend;
  renderApproval: (callId: string) => ReactNode;
  renderReplay?: RenderReplay;
}

/** What a conversation shows, a row for each message that was remembered and for each turn of this tab. */
export function useChatRows(conversation: Conversation): readonly ChatRow[] {
  const { earlier, turns, onResend, renderApproval, renderReplay } = conversation;
  const { runs } = useEditor();
  const { data, isPending, error, refetch } = earlier;
  const superseded = useStore(supersededRuns, (state) => state.runIds);
  const past = useMemo(() => {
    const { messages = [], runs: known = [] } = data ?? {};
    return readPastTurns(
      messages,
      known.filter(({ id }) => !turns.includes(id) && !superseded.has(id)),
    );
  }, [data, turns, superseded]);
  const remembered = useMemo((): ChatRow[] => {
    if (isPending) return [{ key: "loading", estimate: () => 68, render: () => <Loading /> }];
    if (error === null) return pastRows(past, onResend, renderReplay);
    const render = () => <NotLoaded error={error} onRetry={() => void refetch()} />;
    return [{ key: "not loaded", estimate: () => 80, render }];
  }, [isPending, error, refetch, past, onResend, renderReplay]);
  return useMemo(
    () => [
      ...remembered,
      ...turns.map((runId): ChatRow => {
        const said = () => wordsOfRun(runs.getState(), runId);
        return {
          key: runId,
          said: true,
          estimate: () => 160,
          words: () => `${said().question}\n\n${said().answer}`,
          transcript: () => [speech("You", said().question), speech("Answer", said().answer)].join("\n\n").trim(),
          render: () => (
            <ChatTurn runId={runId} onResend={onResend} renderApproval={renderApproval} renderReplay={renderReplay} />
          ),
        };
      }),
    ],
    [remembered, turns, runs, onResend, renderApproval, renderReplay],
  );
}

function Loading() {
  return (
    <div className="self-center py-4 text-muted">
      <Spinner label="Loading the conversation" />
    </div>
  );
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Notice
      tone="warning"
      title="The earlier messages could not be loaded"
      action={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {error.message}
    </Notice>
  );
}
