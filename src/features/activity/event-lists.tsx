import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Json } from "../../engine/json.ts";
import { messageLine } from "../../engine/model/attachments.ts";
import { runSourceText } from "../../state/run/run-status-text.ts";
import type { FailedRun, Feedback } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { usePages } from "../../state/shared/use-pages.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { formatMoment } from "../../ui/text/format-moment.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { LoadFailure } from "../../ui/feedback/load-failure.tsx";

/** Rows that are read at a time. */
const size = 10;

/** What a run was given, in a line. */
function inputWords(input: Json): string {
  return messageLine(input) ?? (typeof input === "string" ? input : JSON.stringify(input));
}

/** Runs of the publication that failed, the latest first; a click opens one as a replay. */
export function FailedRuns({ workflowId }: { workflowId: string }) {
  const { activity } = useServices();
  const list = usePages<FailedRun, { rows: FailedRun[]; next: string | null }>(
    ["activity", workflowId, "failed"],
    async ({ limit, after }) => {
      const rows = await activity.failedRuns(workflowId, limit, typeof after === "string" ? after : undefined);
      return { rows, next: rows.length === limit ? (rows.at(-1)?.startedAt ?? null) : null };
    },
    { size },
  );
  return (
    <EventList title="Failed runs" empty="No stored run has failed." list={list}>
      {list.rows?.map((run) => (
        <EventLine
          key={run.id}
          runId={run.id}
          icon="circle-x"
          tint="text-danger"
          label="Failed"
          title={run.error?.message ?? "It failed without a reason."}
          about={`${runSourceText[run.source]}${run.version === null ? "" : `, version ${run.version}`} · ${inputWords(run.input)}`}
          at={run.startedAt}
        />
      ))}
    </EventList>
  );
}

/** What visitors thought of answers, the latest first; a click opens the run that answered. */
export function FeedbackList({ workflowId }: { workflowId: string }) {
  const { activity } = useServices();
  const list = usePages<Feedback, { rows: Feedback[]; next: string | null }>(
    ["activity", workflowId, "feedback"],
    async ({ limit, after }) => {
      const rows = await activity.feedback(workflowId, limit, typeof after === "string" ? after : undefined);
      return { rows, next: rows.length === limit ? (rows.at(-1)?.at ?? null) : null };
    },
    { size },
  );
  return (
    <EventList title="Feedback" empty="Visitors of the chat page have not rated an answer yet." list={list}>
      {list.rows?.map((one) => (
        <EventLine
          key={one.runId}
          runId={one.runId}
          icon={one.rating === "up" ? "thumbs-up" : "thumbs-down"}
          tint={one.rating === "up" ? "text-success" : "text-danger"}
          label={one.rating === "up" ? "Liked" : "Not liked"}
          title={one.comment === "" ? (one.rating === "up" ? "Liked" : "Not liked") : one.comment}
          about={inputWords(one.input)}
          at={one.at}
        />
      ))}
    </EventList>
  );
}

interface EventListProps {
  title: string;
  empty: string;
  list: {
    isSuccess: boolean;
    error: Error | null;
    rows: readonly unknown[] | undefined;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
    refetch: () => Promise<unknown>;
  };
  children: ReactNode;
}

function EventList({ title, empty, list, children }: EventListProps) {
  return (
    <section aria-label={title} className="rounded-lg border bg-surface">
      <h2 className="border-b px-4 pt-3 pb-2 text-base font-semibold">{title}</h2>
      {list.error !== null && <LoadFailure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows?.length === 0 && <p className="px-4 py-3 text-muted">{empty}</p>}
      <ul>{children}</ul>
      {list.hasNextPage && (
        <div className="flex justify-center border-t py-2">
          <Button size="sm" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </section>
  );
}

interface EventLineProps {
  runId: string;
  icon: IconName;
  tint: string;
  label: string;
  title: string;
  about: string;
  /** ISO 8601. */
  at: string;
}

function EventLine({ runId, icon, tint, label, title, about, at }: EventLineProps) {
  return (
    <li className="relative grid grid-cols-[auto_1fr_auto] items-start gap-x-3 border-b px-4 py-2 last:border-b-0 focus-within:bg-hover hover:bg-hover">
      <span className={`pt-0.5 ${tint}`} title={label}>
        <Icon name={icon} size={14} />
        <span className="sr-only">{label}</span>
      </span>
      <div className="min-w-0">
        <Link
          href={`/runs/${runId}`}
          dir="auto"
          className="line-clamp-2 text-left wrap-anywhere outline-none after:absolute after:inset-0 focus-visible:after:rounded-md focus-visible:after:ring-2 focus-visible:after:ring-select focus-visible:after:ring-inset"
        >
          {title}
        </Link>
        <p dir="auto" className="truncate text-left text-xs text-muted">
          {about}
        </p>
      </div>
      <time dateTime={at} className="text-xs whitespace-nowrap text-muted numeric">
        {formatMoment(Date.parse(at))}
      </time>
    </li>
  );
}
