import { useMemo } from "react";
import type { Activity } from "../../services/services.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ActivityCharts, ActivityTable } from "./activity-charts.tsx";
import { fillBuckets } from "./activity-range.ts";
import { FailedRuns, FeedbackList } from "./event-lists.tsx";
import { FrequencyTable } from "./frequency-table.tsx";

const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

interface ActivityViewProps {
  workflowId: string;
  activity: Activity;
  bucket: "hour" | "day";
  /** When each hour or day begins, milliseconds since 1970. */
  starts: readonly number[];
}

/** How a publication has been doing: figures over time, tools, errors, failed runs, feedback. */
export function ActivityView({ workflowId, activity, bucket, starts }: ActivityViewProps) {
  const buckets = useMemo(() => fillBuckets(activity.buckets, starts), [activity.buckets, starts]);
  const nameOf = (at: number) => (bucket === "day" ? day : hour).format(at);
  const { tools, errors } = activity;
  return (
    <div className="flex flex-col gap-5">
      {activity.buckets.length === 0 ? (
        <EmptyState icon="chart-column" title="No run in this time">
          Runs on the server count when they end, however they were started.
        </EmptyState>
      ) : (
        <>
          <ActivityCharts activity={activity} buckets={buckets} nameOf={nameOf} />
          <ActivityTable buckets={buckets} nameOf={nameOf} />
          {tools.length + errors.length > 0 && (
            <div className="grid items-start gap-3 sm:grid-cols-2">
              {tools.length > 0 && (
                <FrequencyTable
                  title="Tools"
                  each="Tool"
                  counts={["Calls", "Failed"]}
                  rows={tools.map(({ name, calls, failed }) => ({ name, count: calls, second: failed }))}
                />
              )}
              {errors.length > 0 && (
                <FrequencyTable
                  title="Errors"
                  each="Kind"
                  counts={["Runs"]}
                  rows={errors.map(({ code, runs }) => ({ name: code, count: runs }))}
                  danger
                />
              )}
            </div>
          )}
        </>
      )}
      <FailedRuns workflowId={workflowId} />
      <FeedbackList workflowId={workflowId} />
    </div>
  );
}
