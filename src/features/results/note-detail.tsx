import type { NoteStep } from "../../engine/run/run-state.ts";
import { formatCost, formatTokens } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Markdown } from "../../ui/text/markdown.tsx";
import { DetailSection, Facts } from "./detail-section.tsx";
import { EndingNotice } from "./ending-notice.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { GoToNode } from "./go-to-node.tsx";
import { stepLook } from "./step-look.ts";

/** A step that is neither a model call nor a tool call. */
export function NoteDetail({ step }: { step: NoteStep }) {
  return (
    <DetailSection title={stepLook(step, "completed").title} aside={<GoToNode nodeId={step.nodeId} />}>
      <NoteBody event={step.event} />
    </DetailSection>
  );
}

function NoteBody({ event }: { event: NoteStep["event"] }) {
  switch (event.type) {
    case "node-error":
      return <ErrorNotice error={{ nodeId: event.nodeId, ...event.error }} />;
    case "memory-error":
      return <ErrorNotice error={{ nodeId: event.memoryNodeId, ...event.error }} />;
    case "memory-load":
    case "memory-save":
      return (
        <Facts
          facts={[
            ["Session", event.session],
            ["Messages", String(event.messages)],
            ["Time", formatDuration(event.durationMs)],
          ]}
        />
      );
    case "embedding":
    case "rerank":
      return (
        <Facts
          facts={[
            ["Model", `${event.model} (${event.provider})`],
            ["Texts", String(event.texts)],
            ["Tokens", `${formatTokens(event.usage.inputTokens)}${event.estimated ? ", estimated" : ""}`],
            ["Cost", formatCost(event.costUsd)],
            ["Time", formatDuration(event.durationMs)],
          ]}
        />
      );
    case "transcription":
      return (
        <Facts
          facts={[
            ["Model", `${event.model} (${event.provider})`],
            ["Length", event.seconds === null ? "not told" : formatDuration(event.seconds * 1_000)],
            ["Cost", formatCost(event.costUsd)],
            ["Time", formatDuration(event.durationMs)],
          ]}
        />
      );
    case "plan":
    case "reflection":
      return <Markdown text={event.text} />;
    case "compaction":
      return (
        <Facts
          facts={[
            ["Messages", String(event.messages)],
            ["Request size", `about ${formatTokens(event.tokens)}`],
            ["Threshold", formatTokens(event.limit)],
            ["Context window", event.window === null ? "Unknown" : formatTokens(event.window)],
          ]}
        />
      );
    case "retry":
      return (
        <>
          <ErrorNotice error={{ nodeId: event.nodeId, ...event.error }} />
          <p className="text-muted">The next attempt starts after {formatDuration(event.delayMs)}.</p>
        </>
      );
    case "warning":
      return <p className="text-muted">{event.hint}</p>;
    case "wait-start":
      return <p className="text-muted">{new Date(event.until).toLocaleString()}</p>;
    case "node-skip":
      return <p className="text-muted">{event.reason}</p>;
    case "write-start":
      return (
        <p className="text-muted">
          The run was interrupted during {event.toolName === undefined ? "the step" : "the call"}, so nobody knows
          whether it took effect. It was then {event.toolName === undefined ? "done" : "made"} again.
        </p>
      );
    case "run-resume":
      return (
        <>
          <Facts
            facts={[
              ["Attempt", String(event.attempt)],
              ["Worker", event.worker ?? "This browser"],
              ["Time", formatMoment(event.at)],
            ]}
          />
          <p className="text-muted">
            What had finished before is kept.
            {event.brokenOff.length > 0 && " The model call that had no answer yet is made again."}
          </p>
        </>
      );
    case "iteration-end":
      if (event.ending) return <EndingNotice ending={event.ending} />;
      return <p className="text-muted">{formatMoment(event.at)}</p>;
    default:
      return event satisfies never;
  }
}
