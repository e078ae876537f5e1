import { type ReactNode, useContext } from "react";
import type { FileValue } from "../../engine/file/file.ts";
import { useFiles } from "../../state/file/use-files.ts";
import { FileList } from "../../ui/files/file-list.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Countdown } from "../../ui/feedback/countdown.tsx";
import { Markdown } from "../../ui/text/markdown.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Picture } from "../../ui/graph/picture.tsx";
import { keptState } from "../../ui/data/virtual-log/kept-state.ts";
import { WebSources } from "../../ui/data/web-sources.tsx";
import type { ChatPart } from "./chat-part.ts";
import { firstShown } from "./chat-parts.ts";
import { AgentSpeech } from "./agent-speech.tsx";
import { AnswerEnding, PastEnding } from "./answer-ending.tsx";
import { AnswerError } from "./answer-error.tsx";
import { PastToolFold, ToolFold } from "./tool-fold.tsx";
import { ToolLineContext } from "./tool-line.ts";

/** Pieces shown at first, the last ones; an answer of a thousand tool calls would bury the chat. */
const mostParts = 40;

const useMost = keptState(mostParts);

interface AnswerPartsProps {
  /** Unique in its conversation. */
  id: string;
  parts: readonly ChatPart[];
  /** What decides about a tool call that waits for a person; a remembered answer has none. */
  renderApproval?: (callId: string) => ReactNode;
}

/** The pieces of one answer, one under the other. */
export function AnswerParts({ id, parts, renderApproval }: AnswerPartsProps) {
  const [most, setMost] = useMost(id);
  if (parts.length === 0) return null;
  const hidden = firstShown(parts, most);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span className="sr-only">Answer: </span>
      {hidden > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start text-muted"
          onClick={() => setMost(most + mostParts * 5)}
        >
          Show {Math.min(hidden, mostParts * 5)} of {hidden} earlier steps
        </Button>
      )}
      {parts.slice(hidden).map((part) => (
        <AnswerPart key={part.id} answer={id} part={part} renderApproval={renderApproval} />
      ))}
    </div>
  );
}

function AnswerFiles({ files }: { files: readonly FileValue[] }) {
  return <FileList label="Files of the answer" {...useFiles(files)} />;
}

function AnswerPart(props: Pick<AnswerPartsProps, "renderApproval"> & { answer: string; part: ChatPart }) {
  const { answer, part, renderApproval } = props;
  const drawTool = useContext(ToolLineContext);
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} streaming={part.streaming} />;
    case "tool":
      return (
        drawTool(part) ?? (
          <ToolFold
            id={`${answer} ${part.id}`}
            step={part.step}
            live={part.live}
            app={part.app}
            renderApproval={renderApproval}
          />
        )
      );
    case "past-tool":
      return drawTool(part) ?? <PastToolFold id={`${answer} ${part.id}`} part={part} />;
    case "picture":
      return <Picture url={part.url} alt="Made by the model" />;
    case "files":
      return <AnswerFiles files={part.files} />;
    case "sources":
      return <WebSources sources={part.sources} />;
    case "trouble":
      return (
        <Notice
          tone="warning"
          title={part.title}
          action={
            part.until !== undefined && (
              <span className="text-xs leading-5 text-muted numeric">
                <Countdown until={part.until} />
              </span>
            )
          }
        >
          {part.words}
        </Notice>
      );
    case "error":
      return <AnswerError error={part.error} runId={renderApproval === undefined ? "" : answer} />;
    case "ending":
      return <AnswerEnding ending={part.ending} />;
    case "past-ending":
      return <PastEnding finish={part.finish} />;
    case "agent":
      return (
        <AgentSpeech id={`${answer} ${part.id}`} agent={part}>
          <AnswerParts id={answer} parts={part.parts} renderApproval={renderApproval} />
        </AgentSpeech>
      );
    default:
      return part satisfies never;
  }
}
