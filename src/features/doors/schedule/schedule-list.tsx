import { describeCron } from "../../../engine/publish/describe-cron.ts";
import { useDocumentStore } from "../../../state/editor/editor-context.tsx";
import type { ScheduledTrigger } from "../../../services/services.ts";
import { formatMomentIn } from "../../../ui/text/format-moment.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Switch } from "../../../ui/fields/switch.tsx";
import { useNow } from "../../../ui/text/use-now.ts";
import { LastRunLine } from "./last-run-line.tsx";
import { useScheduleSwitch } from "./use-schedules.ts";

/** Each schedule of the live version with its next and last time, and a switch. */
export function ScheduleList({ schedules }: { schedules: readonly ScheduledTrigger[] }) {
  const now = useNow();
  if (schedules.length === 0) {
    return <p className="p-5 text-muted">The live version has no schedule.</p>;
  }
  return (
    <ul aria-label="Schedules" className="flex flex-col px-5 py-2">
      {schedules.map((schedule) => (
        <ScheduleLine key={schedule.id} schedule={schedule} now={now} />
      ))}
    </ul>
  );
}

/** Its times in words. */
export function timesOf({ cron, timeZone }: Pick<ScheduledTrigger, "cron" | "timeZone">): string {
  return `${describeCron(cron) || cron}, ${timeZone}`;
}

/** When it starts next, while it is switched on. */
export function nextTime({ nextAt, timeZone }: Pick<ScheduledTrigger, "nextAt" | "timeZone">): string {
  return nextAt === null
    ? "The next time is set once a worker runs"
    : `Next: ${formatMomentIn(timeZone, Date.parse(nextAt))}`;
}

interface ScheduleProps {
  schedule: ScheduledTrigger;
  now: number;
}

function ScheduleLine({ schedule, now }: ScheduleProps) {
  const { id, nodeId, problem } = schedule;
  const change = useScheduleSwitch();
  const isSwitching = change.isPending;
  const enabled = isSwitching ? change.variables.enabled : schedule.enabled;
  const title = useDocumentStore((state) => state.document.nodes[nodeId]?.title) ?? nodeId;
  return (
    <li className="flex flex-col gap-2 border-b py-3 last:border-b-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{title}</p>
          <p>{timesOf(schedule)}</p>
          <p className="numeric text-xs text-muted">{enabled ? nextTime(schedule) : "Switched off"}</p>
          <LastRunLine schedule={schedule} now={now} />
        </div>
        <Switch
          aria-label={`Schedule of ${title}`}
          checked={enabled}
          busy={isSwitching}
          onCheckedChange={(next) => change.mutate({ ids: [id], enabled: next })}
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
