import { memo, useMemo } from "react";
import type { RunState } from "../../engine/run/run-state.ts";
import { useRunStore } from "../../stores/editor-context.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatTokens } from "../../ui/format-amount.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import { partsOfRun, type ChatPart } from "./chat-parts.ts";
import { questionOf } from "./chat-turns.ts";
import { UserBubble } from "./user-bubble.tsx";

/** A question and the answer that its run gives, live while it runs. `onRetry` asks the question again. */
export const ChatTurn = memo(function ChatTurn(props: { runId: string; onRetry?: (message: string) => void }) {
  const run = useRunStore((state) => state.runs[props.runId]);
  const parts = useMemo(() => (run ? partsOfRun(run) : []), [run]);
  if (run === undefined) return null;
  const question = questionOf(run);
  return (
    <>
      <UserBubble text={question} />
      <div className="group flex min-w-0 flex-col gap-1">
        <AnswerParts parts={parts} />
        {run.status === "running" ? (
          isSilent(parts) && <Working />
        ) : (
          <TurnFooter run={run} parts={parts} onRetry={props.onRetry && (() => props.onRetry?.(question))} />
        )}
      </div>
    </>
  );
});

function TurnFooter({ run, parts, onRetry }: { run: RunState; parts: readonly ChatPart[]; onRetry?: () => void }) {
  const tokens = run.usage.inputTokens + run.usage.outputTokens;
  const duration = run.startedAt !== undefined && run.endedAt !== undefined ? run.endedAt - run.startedAt : undefined;
  const text = () => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return (
    <div className="-ml-1.5 flex items-center gap-1 text-xs text-faint">
      <CopyButton text={text} label="Copy the answer" />
      {onRetry && <IconButton size="sm" icon="rotate-ccw" label="Ask again" onClick={onRetry} />}
      <span className="numeric pl-1">
        {run.status === "cancelled" && "stopped · "}
        {run.status === "interrupted" && "interrupted · "}
        {duration !== undefined && formatDuration(duration)}
        {tokens > 0 && ` · ${formatTokens(tokens)}`}
      </span>
    </div>
  );
}

/** Whether nothing on the screen shows that work goes on. */
function isSilent(parts: readonly ChatPart[]): boolean {
  const last = parts.at(-1);
  return !(last?.kind === "text" && last.streaming) && !(last?.kind === "tool" && last.step.end === undefined);
}

function Working() {
  return (
    <span role="status" aria-label="Working" className="flex h-6 items-center gap-1">
      {[0, 150, 300].map((delay) => (
        <span
          key={delay}
          className="size-1.5 animate-pulse rounded-full bg-faint"
          style={{ animationDelay: `${delay}ms` }}
        />
      ))}
    </span>
  );
}
