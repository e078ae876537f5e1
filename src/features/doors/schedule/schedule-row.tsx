import { useState } from "react";
import type { ScheduledTrigger } from "../../../services/services.ts";
import { DoorRow } from "../door-row.tsx";
import { nextTime, ScheduleList, timesOf } from "./schedule-list.tsx";
import { useSchedules, useScheduleSwitch } from "./use-schedules.ts";

/** When the live version starts by itself. */
export function ScheduleRow() {
  const schedules = useSchedules();
  const [isOpen, setIsOpen] = useState(false);
  const change = useScheduleSwitch();
  const { data } = schedules;
  if (data === undefined) return null;
  const isOn = change.isPending ? change.variables.enabled : data.some(({ enabled }) => enabled);
  const ids = data.map(({ id }) => id);
  return (
    <DoorRow
      icon="clock"
      title="Schedule"
      line={lineOf(data, isOn)}
      warns={data.some(({ problem }) => problem !== null)}
      isOn={isOn}
      toggle={
        data.length === 0
          ? undefined
          : { checked: isOn, busy: change.isPending, onChange: (enabled) => change.mutate({ ids, enabled }) }
      }
      isOpen={isOpen}
      onOpenChange={setIsOpen}
    >
      <ScheduleList schedules={data} />
    </DoorRow>
  );
}

function lineOf(schedules: readonly ScheduledTrigger[], isOn: boolean): string {
  const [first] = schedules;
  if (first === undefined) return "Needs a schedule trigger. Add one to the workflow and publish it.";
  const trouble = schedules.find(({ problem }) => problem !== null)?.problem;
  if (typeof trouble === "string") return trouble;
  if (schedules.length === 1) return `${timesOf(first)} · ${isOn ? nextTime(first) : "Switched off"}`;
  const on = schedules.filter(({ enabled }) => enabled);
  if (!isOn || on.length === 0) return `${schedules.length} schedules, switched off`;
  const soonest = on.toSorted((a, b) => (a.nextAt ?? "9").localeCompare(b.nextAt ?? "9"))[0] ?? first;
  return `${on.length} of ${schedules.length} schedules on · ${nextTime(soonest)}`;
}
