import { memo } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Message } from "../../engine/model/message.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import { pastEntries } from "./chat-parts.ts";
import { UserBubble } from "./user-bubble.tsx";

/** What was said before this page was opened, as the memory has it. */
export const EarlierMessages = memo(function EarlierMessages({ query }: { query: UseQueryResult<Message[]> }) {
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
  return (
    <>
      {entries.map((entry) =>
        entry.role === "user" ? (
          <UserBubble key={entry.id} text={entry.text} />
        ) : (
          <AnswerParts key={entry.id} parts={entry.parts} />
        ),
      )}
      <p className="flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        remembered from before
      </p>
    </>
  );
});
