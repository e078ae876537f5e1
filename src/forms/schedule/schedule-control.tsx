import { describeCron } from "../../engine/publish/describe-cron.ts";
import { isTimeZone, readCron } from "../../engine/publish/cron.ts";
import { Input } from "../../ui/fields/input.tsx";
import { Select } from "../../ui/fields/select.tsx";
import type { ControlProps, SlotProps } from "../control-props.ts";
import { NextTimes } from "./next-times.tsx";

/** Loaded with the first schedule that is looked at: it brings the library that knows every zone's summer time. */

const presets = ["* * * * *", "*/15 * * * *", "0 * * * *", "0 8 * * *", "0 8 * * 1-5", "0 8 * * 1", "0 8 1 * *"].map(
  (value) => ({ value, label: describeCron(value) }),
);

const own = { value: "own", label: "Another time" };

/** When a workflow starts by itself: a choice in words, the expression that it stands for, and the times that come next. */
export function ScheduleControl(props: SlotProps) {
  const { field, value, onChange, control, config } = props;
  const cron = String(value ?? field.default ?? "");
  const zone = typeof config.timeZone === "string" ? config.timeZone : "UTC";
  const known = presets.some((preset) => preset.value === cron);
  const words = describeCron(cron);
  return (
    <div className="flex flex-col gap-2">
      <Select
        aria-label="How often"
        value={known ? cron : own.value}
        options={known ? presets : [...presets, own]}
        onValueChange={(next) => next !== own.value && onChange(next)}
      />
      <Input
        {...control}
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={cron}
        onChange={(event) => onChange(event.target.value)}
      />
      {!known && words !== "" && <p className="text-xs text-muted">{words}.</p>}
      {readCron(cron).ok && isTimeZone(zone) && <NextTimes cron={cron} timeZone={zone} />}
    </div>
  );
}

/** A time zone by its name, chosen while typing. */
export function TimeZoneControl({ field, value, onChange, control }: ControlProps) {
  const listId = `${control.id}-zones`;
  return (
    <>
      <Input
        {...control}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={String(value ?? field.default ?? "")}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={listId}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
