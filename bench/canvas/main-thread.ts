import type { Browser, Page } from "@playwright/test";

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of the clock, and of the processor. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The longest task of a page in milliseconds: by the clock, and by what the processor worked on it. */
interface LongestTask {
  clockMs: number;
  processorMs: number;
}

/**
 * The longest tasks of the page's main thread while `work` went on. On a machine that does other things at the same time
 * a task lasts longer by the clock than the page has work in it; the processor's time tells the two apart.
 */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<LongestTask> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await work();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  // The page's renderer is the one that did the work; an idle one may stand by.
  const tasks = threads
    .map(({ pid, tid }) => traceEvents.filter((event) => event.pid === pid && event.tid === tid && isTask(event)))
    .reduce((most, each) => (spent(each) > spent(most) ? each : most), []);
  const longest = (of: "dur" | "tdur") => tasks.reduce((most, task) => Math.max(most, task[of] ?? 0), 0) / 1_000;
  return { clockMs: longest("dur"), processorMs: longest("tdur") };
}

function isTask({ ph, name }: TraceEvent): boolean {
  return ph === "X" && name.endsWith("RunTask");
}

function spent(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
}
