import { z } from "zod/mini";
import { inTime } from "../in-time.ts";
import type { Metric } from "./open-metrics.ts";

/** What `private.studio_queue_figures` answers; the age in seconds, 0 with an empty queue. */
const queueFigures = z.object({
  queued: z.number(),
  running: z.number(),
  waiting: z.number(),
  workers: z.number(),
  oldestSeconds: z.number(),
});

const gauge = (name: string, help: string, values: Metric["values"]): Metric => ({
  name: `switchyard_${name}`,
  kind: "gauge",
  help,
  values,
});

/** Shorter than collectors wait: whoever asks hears that the database does not answer. */
const usualDeadlineMs = 3_000;

/** How the queue is. Without an answer of the database in time that is all that is known. */
export async function queueMetrics(ask: () => Promise<unknown>, deadlineMs = usualDeadlineMs): Promise<Metric[]> {
  const up = (value: number) => gauge("database_up", "Whether the database answers.", [{ value }]);
  try {
    const { queued, running, waiting, workers, oldestSeconds } = queueFigures.parse(await inTime(ask(), deadlineMs));
    const states = Object.entries({ queued, running, waiting });
    return [
      up(1),
      gauge(
        "runs",
        "Published runs that have not ended, of all accounts. The queue is as deep as there are queued ones.",
        states.map(([state, value]) => ({ labels: { state }, value })),
      ),
      gauge("oldest_queued_run_seconds", "For how long the first run of the queue has been queued.", [
        { value: oldestSeconds },
      ]),
      gauge("workers", "Workers that have reported in the last 30 seconds.", [{ value: workers }]),
    ];
  } catch {
    return [up(0)];
  }
}
