import type { ReactNode } from "react";
import { Link } from "wouter";
import type { ScheduledTrigger } from "../../../services/services.ts";
import { runLook, runSince } from "../../../state/run/run-look.ts";
import { classNames } from "../../../ui/theme/class-names.ts";
import { formatMomentIn } from "../../../ui/text/format-moment.ts";
import { Icon } from "../../../ui/icons/icon.tsx";
import { relativeTime } from "../../../ui/text/relative-time.ts";

interface LastRunLineProps {
  schedule: Pick<ScheduledTrigger, "timeZone" | "lastAt" | "skippedAt" | "refused" | "lastRun">;
  now: number;
}

/** How the last run of a schedule went, which it leads to, and whether a run was skipped since. */
export function LastRunLine({ schedule, now }: LastRunLineProps) {
  const { timeZone, lastAt, skippedAt, refused, lastRun } = schedule;
  const moment = (at: string) => formatMomentIn(timeZone, Date.parse(at));
  const isSkipped = skippedAt !== null && (lastAt === null || Date.parse(skippedAt) > Date.parse(lastAt));
  return (
    <div className="numeric text-xs text-muted">
      {lastRun !== null ? (
        <LinkedRun
          run={lastRun}
          started={relativeTime(Date.parse(lastRun.startedAt), now)}
          at={moment(lastRun.startedAt)}
        />
      ) : (
        <p>{lastAt === null ? "No run yet" : `Last run: ${moment(lastAt)}; it is no longer stored`}</p>
      )}
      {isSkipped && <Warning>The run at {moment(skippedAt)} was skipped: no worker was running</Warning>}
      {refused !== null && (
        <Warning>
          The run at {moment(refused.at)} could not start: {refused.reason}
        </Warning>
      )}
    </div>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-1">
      <span className="mt-0.5 shrink-0 text-warning">
        <Icon name="triangle-alert" size={14} />
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}

interface LinkedRunProps {
  run: NonNullable<ScheduledTrigger["lastRun"]>;
  /** How long ago it started. */
  started: string;
  /** When it started, in full. */
  at: string;
}

function LinkedRun({ run, started, at }: LinkedRunProps) {
  const look = runLook(run);
  const trouble = run.status === "failed" ? run.error : (run.ending?.message ?? null);
  return (
    <>
      <p className="flex flex-wrap items-center gap-1">
        Last run:
        <Link
          href={`/runs/${run.id}`}
          title={at}
          className="inline-flex items-center gap-1 rounded-sm text-ink underline-offset-2 hover:underline"
        >
          <span className={look.tint}>
            <Icon name={look.icon} size={14} />
          </span>
          {runSince(run, started)}
        </Link>
      </p>
      {trouble !== null && (
        <p
          className={classNames("line-clamp-2 wrap-anywhere", run.status === "failed" ? "text-danger" : "text-warning")}
        >
          {trouble}
        </p>
      )}
    </>
  );
}
