import { memo } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Message } from "../../engine/model/message.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import type { ChatMessage } from "./chat-message.ts";
import { pastEntries } from "./chat-parts.ts";
import type { ResendPlace } from "./use-resend.ts";
import { PastSources } from "./past-sources.tsx";
import { UserBubble } from "./user-bubble.tsx";

/** What was said before this page was opened, as the memory has it. */
export const EarlierMessages = memo(function EarlierMessages(props: {
  query: UseQueryResult<Message[]>;
  /** Absent while nothing can be asked. */
  onResend?: (place: ResendPlace, message: ChatMessage) => void;
}) {
  const { query, onResend } = props;
  if (query.isPending) {
    return (
      <div className="self-center py-4 text-muted">
        <Spinner label="Loading the conversation" />
      </div>
    );
  }
  if (query.isError) {
    return (
      <Notice
        tone="warning"
        title="The earlier messages could not be loaded"
        action={
          <Button size="sm" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error.message}
      </Notice>
    );
  }
  const entries = pastEntries(query.data);
  if (entries.length === 0) return null;
  let questions = 0;
  return (
    <>
      {entries.map((entry) => {
        if (entry.role === "assistant") {
          return (
            <div key={entry.id} className="flex min-w-0 flex-col gap-1">
              <AnswerParts parts={entry.parts} />
              <PastSources parts={entry.parts} />
            </div>
          );
        }
        const question = questions++;
        return (
          <UserBubble
            key={entry.id}
            message={entry.message}
            onResend={onResend && ((message) => onResend({ kind: "earlier", question }, message))}
          />
        );
      })}
      <p className="flex items-center gap-3 text-center text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        remembered from before; stopped and failed answers are in the history
      </p>
    </>
  );
});
