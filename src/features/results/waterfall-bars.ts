import type { NoteStep, RunState, RunStep } from "../../engine/run/run-state.ts";
import { stepDuration } from "./step-facts.ts";

/** Of the axis: what is shorter looks like no gap. */
const noticeableShare = 0.02;

export interface WaterfallBar {
  step: RunStep;
  /** Milliseconds after the run's start. */
  startMs: number;
  durationMs: number;
  /** Still growing. */
  open: boolean;
}

/**
 * The steps that take time, as bars from the run's start. `now` bounds what has not ended. An event that reports a
 * duration afterwards (memory) stands where its work began. `gapMs` is the time before the first bar, 0 where it is too
 * short to be seen.
 */
export function waterfallBars(run: RunState, now: number): { bars: WaterfallBar[]; totalMs: number; gapMs: number } {
  const runStart = run.startedAt ?? now;
  const runEnd = run.endedAt ?? (run.status === "running" ? now : lastMoment(run));
  const bars: WaterfallBar[] = [];
  for (const step of run.steps) {
    const duration = stepDuration(step);
    if (step.kind === "note" && (duration === null || isSaidByCalls(step, run.steps))) continue;
    const start = startOf(step, duration);
    const durationMs = duration ?? Math.max(0, runEnd - start);
    bars.push({
      step,
      startMs: Math.max(0, start - runStart),
      durationMs,
      open: duration === null && run.status === "running",
    });
  }
  bars.sort((a, b) => a.startMs - b.startMs);
  const furthest = bars.reduce((latest, bar) => Math.max(latest, bar.startMs + bar.durationMs), 0);
  const totalMs = Math.max(1, runEnd - runStart, furthest);
  const first = bars[0]?.startMs ?? 0;
  return { bars, totalMs, gapMs: first >= totalMs * noticeableShare ? first : 0 };
}

/** A node that failed after calls of its own: they have bars, and the last of them has failed. */
function isSaidByCalls({ event, nodeId }: NoteStep, steps: readonly RunStep[]): boolean {
  return event.type === "node-error" && steps.some((step) => step.kind !== "note" && step.nodeId === nodeId);
}

/** A call that waited for a person stands where its own work was, which is at its end. */
function startOf(step: RunStep, duration: number | null): number {
  if (duration === null) return step.startedAt;
  if (step.kind === "note") return step.startedAt - duration;
  const waited = step.kind === "tool" && step.approval !== undefined && step.end !== undefined && !step.replayed;
  return waited && step.end ? Math.max(step.startedAt, step.end.at - duration) : step.startedAt;
}

/** The last moment that a run without an end speaks of. */
function lastMoment(run: RunState): number {
  const moments = run.steps.map((step) => step.startedAt + (stepDuration(step) ?? 0));
  return moments.reduce((latest, moment) => Math.max(latest, moment), run.startedAt ?? 0);
}

/** Round moments for an axis of this length, four to eight of them, from 0 on. */
export function timeTicks(totalMs: number): number[] {
  const rough = totalMs / 5;
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? magnitude;
  const ticks: number[] = [];
  for (let at = 0; at < totalMs * 0.97; at += step) ticks.push(at);
  return ticks;
}
