import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import type { OpenQuestion } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ListSkeleton } from "../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";
import { LoadMore } from "../../ui/feedback/load-more.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { inSets, isPlainCall } from "./call-sets.ts";
import { InboxSet } from "./inbox-set.tsx";

const pageSize = 25;
/** More are not shown at once. */
const most = 200;

/** Plain calls that one run makes of one tool are one question, unless the person has turned to one of them. */
function setOf({ runId, callId, question }: OpenQuestion, apart: ReadonlySet<string>): string | undefined {
  const { toolName, parameters } = question;
  // Tools of two servers may bear one name.
  return isPlainCall(question) && !apart.has(callId) ? `${runId} ${toolName} ${JSON.stringify(parameters)}` : undefined;
}

/** Every open question of the account, the oldest first. */
export function InboxView({ pollMs }: { pollMs: number }) {
  const { inbox } = useServices();
  const [limit, setLimit] = useState(pageSize);
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  const keepApart = (callIds: readonly string[]) => setApart((before) => new Set([...before, ...callIds]));
  const list = useRef<HTMLElement>(null);
  const [, navigate] = useLocation();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["inbox", "list", limit],
    queryFn: () => inbox.list(limit),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    refetchOnMount: "always",
    refetchOnWindowFocus: "always",
  });
  if (data === undefined) {
    return error ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <ListSkeleton label="Loading the inbox" />
    );
  }
  const { questions, total } = data;
  const more = questions.length < total;
  return (
    <section ref={list} tabIndex={-1} aria-label="Waiting for approval" className="flex flex-col gap-4 outline-none">
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {questions.length === 0 && (
        <EmptyState
          icon="inbox"
          title="Nothing is waiting for you"
          action={<Button onClick={() => navigate("/")}>Go to your workflows</Button>}
        >
          When a published workflow wants to call a tool that asks first, the question is shown here.
        </EmptyState>
      )}
      {inSets(questions, (question) => setOf(question, apart)).map((set) => (
        <InboxSet key={`${set[0]?.runId} ${set[0]?.callId}`} questions={set} list={list} onApart={keepApart} />
      ))}
      <LoadMore
        shown={questions.length}
        total={total}
        what="tool calls"
        busy={isPlaceholderData}
        onMore={more && limit < most ? () => setLimit(Math.min(limit + pageSize, most)) : undefined}
      />
      {more && limit >= most && (
        <Notice title={`${total - questions.length} more are waiting`}>
          They appear once you have answered these.
        </Notice>
      )}
    </section>
  );
}
