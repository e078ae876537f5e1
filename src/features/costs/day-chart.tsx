import type { CostSum } from "../../services/services.ts";
import { type Measure, measureLooks } from "./measure.ts";

const height = 120;
const gap = 0.2;

const short = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** A day such as "2026-11-12" in words: "Nov 12". */
export function dayWords(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return short.format(new Date(year, month - 1, date));
}

/** One bar per day. The table below it says the same in words, so screen readers skip the picture. */
export function DayChart({ days, measure }: { days: readonly CostSum[]; measure: Measure }) {
  const { of, words } = measureLooks[measure];
  const most = Math.max(...days.map(of), 0);
  const top = days.find((day) => of(day) === most);
  const first = days[0];
  const last = days.at(-1);
  return (
    <figure aria-hidden className="flex flex-col gap-1">
      <p className="text-right text-xs text-faint numeric">{most > 0 && top ? words(top) : " "}</p>
      <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" className="h-30 w-full border-y">
        {days.map((day, index) => {
          const size = most > 0 ? (of(day) / most) * (height - 4) : 0;
          return (
            <g key={day.name}>
              <title>{`${dayWords(day.name)}: ${words(day)}`}</title>
              <rect x={index} y={0} width={1} height={height} fill="transparent" />
              <rect
                x={index + gap / 2}
                y={height - Math.max(size, size > 0 ? 1 : 0)}
                width={1 - gap}
                height={Math.max(size, size > 0 ? 1 : 0)}
                className="fill-accent"
              />
            </g>
          );
        })}
      </svg>
      <figcaption className="flex justify-between text-xs text-faint">
        <span>{first && dayWords(first.name)}</span>
        <span>{last && dayWords(last.name)}</span>
      </figcaption>
    </figure>
  );
}
