import { classNames } from "../../ui/theme/class-names.ts";
import type { Activity, ActivityBucket } from "../../services/services.ts";
import { sumBuckets } from "./activity-range.ts";
import { BarChart } from "./bar-chart.tsx";
import { costText, durationWords, measures } from "./measures.ts";
import { percentile } from "./percentile.ts";
import { ScrolledTable } from "../../ui/layout/scrolled-table.tsx";

interface ActivityChartsProps {
  activity: Activity;
  /** Hours or days in order, empty ones among them. */
  buckets: readonly ActivityBucket[];
  /** How an hour or day is called. */
  nameOf: (at: number) => string;
}

/** One card for each measure: its figure, and bars over time. */
export function ActivityCharts({ activity, buckets, nameOf }: ActivityChartsProps) {
  const total = sumBuckets(activity.buckets);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {measures.map(({ title, figure, bar }, index) => {
        const [value, detail] = figure(total, activity.visitors);
        const bars = buckets.map((bucket) => ({ at: bucket.at, ...bar(bucket) }));
        const size = (parts: (typeof bars)[number]["parts"]) => parts.reduce((sum, part) => sum + part.value, 0);
        const highest = bars.reduce<(typeof bars)[number] | undefined>(
          (best, each) => (best === undefined || size(each.parts) > size(best.parts) ? each : best),
          undefined,
        );
        return (
          <section
            key={title}
            aria-label={title}
            className={classNames("rounded-lg border bg-surface px-4 py-3", index === 0 && "sm:col-span-2")}
          >
            <h2 className="text-xs font-normal text-muted">{title}</h2>
            <p className="text-lg font-semibold numeric">{value}</p>
            <p className="text-xs text-muted numeric">{detail}</p>
            <BarChart bars={bars} top={highest?.words ?? ""} nameOf={nameOf} />
          </section>
        );
      })}
    </div>
  );
}

const columns: readonly { title: string; of: (bucket: ActivityBucket) => string }[] = [
  { title: "Runs", of: ({ runs }) => String(runs) },
  { title: "Failed", of: ({ failed }) => String(failed) },
  { title: "p50", of: ({ durations }) => durationWords(percentile(durations, 0.5)) },
  { title: "p95", of: ({ durations }) => durationWords(percentile(durations, 0.95)) },
  { title: "Cost", of: costText },
  { title: "Visitors", of: ({ visitors }) => String(visitors) },
  { title: "Liked", of: ({ up }) => String(up) },
  { title: "Not liked", of: ({ down }) => String(down) },
];

/** The figures of the charts; hours and days in which nothing happened are left out. */
export function ActivityTable({ buckets, nameOf }: Omit<ActivityChartsProps, "activity">) {
  const rows = buckets.filter(({ runs, up, down }) => runs + up + down > 0).toReversed();
  return (
    <details className="rounded-lg border bg-surface">
      <summary className="cursor-pointer px-4 py-3 text-base font-semibold">Figures</summary>
      <ScrolledTable label="Figures over time">
        <table className="w-full text-left text-sm numeric">
          <thead className="text-xs text-muted">
            <tr className="border-y">
              <th scope="col" className="px-4 py-1 font-normal">
                Time
              </th>
              {columns.map(({ title }) => (
                <th key={title} scope="col" className="px-4 py-1 text-right font-normal whitespace-nowrap">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((bucket) => (
              <tr key={bucket.at} className="border-b last:border-b-0">
                <th scope="row" className="px-4 py-1.5 font-normal whitespace-nowrap">
                  {nameOf(bucket.at)}
                </th>
                {columns.map(({ title, of }) => (
                  <td key={title} className="px-4 py-1.5 text-right whitespace-nowrap">
                    {of(bucket)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrolledTable>
    </details>
  );
}
