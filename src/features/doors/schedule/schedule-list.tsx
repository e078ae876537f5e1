import { describeCron } from "../../../engine/publish/describe-cron.ts";
import { useDocumentStore } from "../../../stores/editor-context.tsx";
import type { ScheduledTrigger } from "../../../services/services.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { formatMomentIn } from "../../../ui/text/format-moment.ts";
import { ListSkeleton } from "../../../ui/feedback/list-skeleton.tsx";
import { LoadFailure } from "../../../ui/feedback/load-failure.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { LastRunLine } from "./last-run-line.tsx";
import { usePublishing, useSchedules } from "./use-publication.ts";

/** When the live version starts by itself: each schedule with its next and last time, and a switch. */
export function ScheduleList() {
  const schedules = useSchedules();
  const now = useNow();
  if (schedules.isPending) return <ListSkeleton label="Loading the schedules" />;
  if (schedules.isLoadingError) {
    return (
      <div className="p-4">
        <LoadFailure error={schedules.error} onRetry={() => void schedules.refetch()} />
      </div>
    );
  }
  if (schedules.data.length === 0) {
    return (
      <EmptyState icon="clock" title="The live version has no schedule">
        Add a schedule trigger to the workflow and publish it.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Schedules" className="flex flex-col p-5">
      {schedules.data.map((schedule) => (
        <ScheduleLine key={schedule.id} schedule={schedule} now={now} />
      ))}
    </ul>
  );
}

interface ScheduleProps {
  schedule: ScheduledTrigger;
  now: number;
}

function ScheduleLine({ schedule, now }: ScheduleProps) {
  const { id, nodeId, cron, timeZone, nextAt, problem } = schedule;
  const { switchSchedule } = usePublishing();
  const isSwitching = switchSchedule.isPending;
  const enabled = isSwitching ? switchSchedule.variables.enabled : schedule.enabled;
  const title = useDocumentStore((state) => state.document.nodes[nodeId]?.title) ?? nodeId;
  const next = !enabled
    ? "Switched off"
    : nextAt === null
      ? "The next time is set once a worker runs"
      : `Next: ${formatMomentIn(timeZone, Date.parse(nextAt))}`;
  return (
    <li className="flex flex-col gap-2 border-b py-3 last:border-b-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{title}</p>
          <p>
            {describeCron(cron) || cron}, {timeZone}
          </p>
          <p className="numeric text-xs text-muted">{next}</p>
          <LastRunLine schedule={schedule} now={now} />
        </div>
        <Switch
          aria-label={`Schedule of ${title}`}
          checked={enabled}
          busy={isSwitching}
          onCheckedChange={(next) => switchSchedule.mutate({ id, enabled: next })}
        />
      </div>
      {problem !== null && (
        <Notice tone="danger" title={problem}>
          Change it in the workflow and publish it again.
        </Notice>
      )}
    </li>
  );
}
