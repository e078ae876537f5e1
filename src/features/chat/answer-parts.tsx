import { Markdown } from "../../ui/markdown.tsx";
import type { ChatPart } from "./chat-parts.ts";
import { AnswerError } from "./answer-error.tsx";
import { PastToolFold, ToolFold } from "./tool-fold.tsx";

/** The pieces of one answer, one under the other. */
export function AnswerParts({ parts }: { parts: readonly ChatPart[] }) {
  if (parts.length === 0) return null;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <span className="sr-only">Answer: </span>
      {parts.map((part) => (
        <AnswerPart key={part.id} part={part} />
      ))}
    </div>
  );
}

function AnswerPart({ part }: { part: ChatPart }) {
  switch (part.kind) {
    case "text":
      return <Markdown text={part.text} streaming={part.streaming} />;
    case "tool":
      return <ToolFold step={part.step} live={part.live} />;
    case "past-tool":
      return <PastToolFold part={part} />;
    case "error":
      return <AnswerError error={part.error} />;
    default:
      return part satisfies never;
  }
}
