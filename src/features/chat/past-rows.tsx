import { useMemo } from "react";
import type { Message } from "../../engine/model/message.ts";
import type { ConversationRun } from "../../services/run-history.ts";
import { citationsInText } from "../../nodes/knowledge/citations.ts";
import { AnswerSources } from "../../state/run/answer-sources.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { textsOf } from "./answer-speeches.ts";
import type { ChatPart } from "./chat-part.ts";
import { type ChatRow, estimateText, speech } from "./chat-row.ts";
import { type PastEntry, pastEntries } from "./remembered-turns.ts";
import { type RenderReplay, useRunActions } from "./run-actions.tsx";
import type { Resend } from "./use-resend.ts";
import { UserBubble } from "./user-bubble.tsx";

/** Where a picture, and where a folded tool call is, in pixels. */
const [pictureHeight, foldHeight] = [120, 42];
/** The row of buttons under an answer whose run is stored. */
const actionsHeight = 32;

/** An entry of a remembered conversation, read once: what it says, and how much room that takes. */
interface PastTurn {
  entry: PastEntry;
  estimate: (width: number) => number;
  words: () => string;
}

/** `runs`: those of the conversation, without runs that stand in it otherwise. */
export function readPastTurns(messages: readonly Message[], runs: readonly ConversationRun[]): PastTurn[] {
  return pastEntries(messages, runs).map((entry) => {
    const text = entry.role === "user" ? entry.message.text : textOf(entry.parts);
    const extra =
      entry.role === "user"
        ? 16 + entry.message.images.length * pictureHeight
        : foldsIn(entry.parts) + (entry.runId === null ? 0 : actionsHeight);
    const lines = estimateText(text);
    return {
      entry,
      estimate: (width) => lines(width) + extra,
      words: () => text,
    };
  });
}

function textOf(parts: readonly ChatPart[]): string {
  return textsOf(parts).join("\n\n");
}

function foldsIn(parts: readonly ChatPart[]): number {
  return parts.filter(({ kind }) => kind === "past-tool" || kind === "agent").length * foldHeight;
}

/** What was said before this page was opened, as the memory has it. `onResend` is absent while nothing can be asked. */
export function pastRows(
  turns: readonly PastTurn[],
  onResend: Resend | undefined,
  renderReplay: RenderReplay | undefined,
): ChatRow[] {
  const rows = turns.map(({ entry, estimate, words }): ChatRow => {
    const { id: key } = entry;
    const transcript = () => speech(entry.role === "user" ? "You" : "Answer", words());
    const said = { key, estimate, words, transcript, said: true };
    if (entry.role === "assistant") {
      const render = () => (
        <div className="flex min-w-0 flex-col gap-1">
          <AnswerParts id={key} parts={entry.parts} />
          <PastSources parts={entry.parts} />
          {entry.runId !== null && renderReplay && (
            <PastRun runId={entry.runId} words={words} renderReplay={renderReplay} />
          )}
        </div>
      );
      return { ...said, render };
    }
    const resend =
      onResend &&
      ((message: ChatMessage, onRefused?: () => void) => {
        const { question } = entry;
        onResend(question === null ? { kind: "unsaved" } : { kind: "earlier", question }, message, onRefused);
      });
    return { ...said, render: () => <UserBubble id={key} message={entry.message} onResend={resend} /> };
  });
  if (rows.length > 0) rows.push({ key: "end of the past", estimate: () => 32, render: () => <EndOfPast /> });
  return rows;
}

/** What can be done with the run that gave a remembered answer. */
function PastRun({ runId, words, renderReplay }: { runId: string; words: () => string; renderReplay: RenderReplay }) {
  const { buttons, replay } = useRunActions(runId, renderReplay);
  return (
    <>
      <div className="-ml-1.5 flex items-center gap-1 text-xs text-faint">
        <CopyButton text={words} label="Copy the answer" />
        {buttons}
      </div>
      {replay}
    </>
  );
}

function EndOfPast() {
  return (
    <p className="flex items-center gap-3 text-center text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      Earlier messages
    </p>
  );
}

function resultsIn(parts: readonly ChatPart[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === "agent") return resultsIn(part.parts);
    return part.kind === "past-tool" && part.ok ? [part.output] : [];
  });
}

/** What a remembered answer cites, as far as the memory kept the results of its searches. */
function PastSources({ parts }: { parts: readonly ChatPart[] }) {
  const citations = useMemo(() => citationsInText(resultsIn(parts)), [parts]);
  return <AnswerSources citations={citations} />;
}
