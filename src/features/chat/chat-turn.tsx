import { memo, type ReactNode, useMemo } from "react";
import { answerText } from "../../doors/answer-text.ts";
import type { RunState } from "../../engine/run/run-state.ts";
import { RunSources } from "../../state/run/run-sources.tsx";
import { useRunStore } from "../../state/editor/editor-context.tsx";
import { usePanelStore } from "../../state/editor/panel-store.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Celebration } from "../../ui/feedback/celebration.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import { type ChatMessage, messageOfInput } from "./chat-message.ts";
import { textsOf } from "./answer-speeches.ts";
import type { ChatPart } from "./chat-part.ts";
import { partsOfRun } from "./chat-parts.ts";
import { type RenderReplay, useRunActions } from "./run-actions.tsx";
import { useStoredTurn } from "./stored-turn.ts";
import type { Resend } from "./use-resend.ts";
import { UserBubble } from "./user-bubble.tsx";

interface ChatTurnProps {
  runId: string;
  /** Asks the question again, as it was or in other words; absent while nothing can be asked. */
  onResend?: Resend;
  /** What decides about a tool call that waits for a person. */
  renderApproval: (callId: string) => ReactNode;
  /** Goes through the run when it has ended; absent where something else does. */
  renderReplay?: RenderReplay;
}

/** A question and the answer that its run gives, live while it runs, from the database once the tab has let go of it. */
export const ChatTurn = memo(function ChatTurn(props: ChatTurnProps) {
  const held = useRunStore((state) => state.runs[props.runId]);
  return held ? <Turn {...props} run={held} /> : <StoredTurn {...props} />;
});

function StoredTurn(props: ChatTurnProps) {
  const { runId } = props;
  const past = useRunStore((state) => state.past[runId]);
  const { data, error, refetch } = useStoredTurn(runId);
  if (data) return <Turn {...props} run={data} />;
  const answer = answerText(past?.output);
  return (
    <>
      <UserBubble id={runId} message={messageOfInput(past?.input)} />
      {answer !== "" && <Markdown text={answer} />}
      {error && (
        <Notice
          tone="warning"
          title="The rest of this answer could not be loaded"
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
    </>
  );
}

/** A turn whose run is at hand. */
export function Turn({ runId, run, onResend, renderApproval, renderReplay }: ChatTurnProps & { run: RunState }) {
  const parts = useMemo(() => partsOfRun(run), [run]);
  const question = messageOfInput(run.input);
  const resend =
    onResend &&
    ((message: ChatMessage, onRefused?: () => void) => onResend({ kind: "run", runId }, message, onRefused));
  return (
    <>
      <UserBubble id={runId} message={question} onResend={resend} />
      <div className="group flex min-w-0 flex-col gap-1">
        <AnswerParts id={runId} parts={parts} renderApproval={renderApproval} />
        <RunSources run={run} />
        {run.status === "running" ? (
          isSilent(parts) && <Working />
        ) : (
          <TurnFooter
            run={run}
            parts={parts}
            onRetry={resend && (() => resend(question))}
            renderReplay={renderReplay}
          />
        )}
      </div>
    </>
  );
}

function TurnFooter({
  run,
  parts,
  onRetry,
  renderReplay,
}: {
  run: RunState;
  parts: readonly ChatPart[];
  onRetry?: () => void;
  renderReplay?: RenderReplay;
}) {
  const tokens = run.usage.inputTokens + run.usage.outputTokens;
  const duration = run.startedAt !== undefined && run.endedAt !== undefined ? run.endedAt - run.startedAt : undefined;
  const text = () => textsOf(parts).join("\n\n");
  const first = usePanelStore(({ firstRun }) => (firstRun?.runId === run.runId ? firstRun : null));
  const { buttons, replay } = useRunActions(run.runId, renderReplay, first !== null);
  return (
    <>
      <div className="-ml-1.5 flex items-center gap-1 text-xs text-faint">
        <CopyButton text={text} label="Copy the answer" />
        {onRetry && <IconButton size="sm" icon="rotate-ccw" label="Ask again" onClick={onRetry} />}
        {buttons}
        <span className="numeric pl-1">
          {run.status === "cancelled" && "stopped · "}
          {run.status === "interrupted" && "interrupted · "}
          {duration !== undefined && formatDuration(duration)}
          {tokens > 0 && ` · ${formatTokens(tokens)}`}
        </span>
        {first !== null && <Celebration at={first.at}>Your first run</Celebration>}
      </div>
      {replay}
    </>
  );
}

/** Whether nothing on the screen shows that work goes on. */
function isSilent(parts: readonly ChatPart[]): boolean {
  const last = parts.at(-1);
  if (last?.kind === "agent") return isSilent(last.parts);
  return !(last?.kind === "text" && last.streaming) && !(last?.kind === "tool" && last.step.end === undefined);
}

function Working() {
  return (
    <span role="status" aria-label="Working" className="flex h-6 items-center gap-1">
      {[400, 550, 700].map((delay) => (
        <span
          key={delay}
          className="size-1.5 animate-pulse rounded-full bg-faint"
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
    </span>
  );
}
