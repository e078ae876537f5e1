import { Cron } from "croner";
import { useMemo } from "react";
import { formatMomentIn } from "../../ui/text/format-moment.ts";

const shown = 5;

/** The times at which a schedule comes due next, on the clock of its zone. */
export function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const times = useMemo(() => nextTimes(cron, timeZone), [cron, timeZone]);
  if (times.length === 0) return <p className="text-xs text-warning">It never runs.</p>;
  return (
    <div className="text-xs text-muted">
      <p>Next, once it is live:</p>
      <ul aria-label="Next times" className="numeric">
        {times.map((time) => (
          <li key={time.toISOString()}>{formatMomentIn(timeZone, time.getTime())}</li>
        ))}
      </ul>
    </div>
  );
}

/** Empty where none comes, and for what is no schedule. */
function nextTimes(cron: string, timeZone: string): Date[] {
  try {
    return new Cron(cron, { timezone: timeZone, paused: true, mode: "5-part" }).nextRuns(shown);
  } catch {
    return [];
  }
}
