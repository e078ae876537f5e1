import type { ActivityBucket } from "../../services/services.ts";
import { formatCost } from "../../ui/text/format-amount.ts";
import { formatDuration } from "../../ui/text/format-duration.ts";
import type { Bar } from "./bar-chart.tsx";
import { percentile } from "./percentile.ts";

const whole = new Intl.NumberFormat("en");

/** "1 run", "1,204 runs". */
export function counted(count: number, what: string): string {
  return `${whole.format(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** A duration that was worked out, or a dash. */
export function durationWords(milliseconds: number | null): string {
  return milliseconds === null ? "–" : formatDuration(milliseconds);
}

/** The cost, or that it is only a part of it; "at least $0" would say nothing. */
export function costText({ costUsd, unpriced }: ActivityBucket): string {
  if (unpriced === 0) return formatCost(costUsd);
  return costUsd === 0 ? formatCost(null) : `at least ${formatCost(costUsd)}`;
}

/** How much of all runs failed, such as "2.6%". */
export function shareWords(part: number, all: number): string {
  if (all === 0 || part === 0) return "0%";
  const percent = (part / all) * 100;
  return percent < 0.1 ? "under 0.1%" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** A chart of the page: its title, its figure over the whole range, and its bars. */
interface Measure {
  title: string;
  /** The figure, and a second line under it. */
  figure: (total: ActivityBucket, visitors: number) => readonly [string, string];
  bar: (bucket: ActivityBucket) => Omit<Bar, "at">;
}

export const measures: readonly Measure[] = [
  {
    title: "Runs",
    figure: ({ runs, failed, cancelled }) => [
      whole.format(runs),
      `${whole.format(failed)} failed (${shareWords(failed, runs)})${cancelled > 0 ? `, ${whole.format(cancelled)} stopped` : ""}`,
    ],
    bar: ({ runs, failed }) => ({
      parts: [
        { value: runs - failed, className: "fill-accent" },
        { value: failed, className: "fill-danger" },
      ],
      words: failed > 0 ? `${counted(runs, "run")}, ${whole.format(failed)} failed` : counted(runs, "run"),
    }),
  },
  {
    title: "Duration",
    figure: ({ durations }) => [
      durationWords(percentile(durations, 0.5)),
      `half of the runs took less; 95% less than ${durationWords(percentile(durations, 0.95))}`,
    ],
    bar: ({ durations }) => {
      const [p50, p95] = [percentile(durations, 0.5), percentile(durations, 0.95)];
      return {
        parts: [
          { value: p50 ?? 0, className: "fill-accent" },
          { value: (p95 ?? 0) - (p50 ?? 0), className: "fill-accent opacity-35" },
        ],
        words: `p50 ${durationWords(p50)}, p95 ${durationWords(p95)}`,
      };
    },
  },
  {
    title: "Cost",
    figure: (total) => [
      costText(total),
      total.runs === 0 || total.unpriced > 0 ? " " : `${formatCost(total.costUsd / total.runs)} a run`,
    ],
    bar: (bucket) => ({ parts: [{ value: bucket.costUsd, className: "fill-accent" }], words: costText(bucket) }),
  },
  {
    title: "Visitors",
    figure: (_total, visitors) => [whole.format(visitors), "of chat pages, and users that programs name"],
    bar: ({ visitors }) => ({
      parts: [{ value: visitors, className: "fill-accent" }],
      words: counted(visitors, "visitor"),
    }),
  },
  {
    title: "Feedback",
    figure: ({ up, down }) => [
      up + down === 0 ? "–" : shareWords(up, up + down),
      up + down === 0 ? "no answer was rated" : `liked: ${whole.format(up)} of ${counted(up + down, "rated answer")}`,
    ],
    bar: ({ up, down }) => ({
      parts: [
        { value: up, className: "fill-success" },
        { value: down, className: "fill-danger" },
      ],
      words: `${whole.format(up)} liked, ${whole.format(down)} not liked`,
    }),
  },
];
